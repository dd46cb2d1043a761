import { openDatabase } from './src/server/database/database.js';
import { findBrand } from './src/server/accounts/find-brand.js';
import { parseParams } from './src/server/parameters.js';
import { readers } from './src/server/reads/index.js';
import { reads } from './src/contract/registry.js';
const access: any = { keyId: 'b', kind: 'operator', workspaceId: null, plan: null, brandIds: null, expiresAt: null, allow: null };
const TODAY='2026-11-20'; const now=new Date(TODAY+'T12:00:00Z');
const database = await openDatabase({ url: process.argv[2]! });
const knex = database.knex;
const sizes = (process.argv[3] ?? '100000').split(',');
for (const size of sizes) {
  const brand: any = await findBrand(knex, access, 'b'+size);
  for (const [read, query] of [
    ['overview', {}], ['overview', {engine:'chatgpt'}], ['overview',{prompt:'p3'}], ['overview',{tag:'tag3'}], ['overview',{region:'us'}], ['overview',{region:'us,gb,de'}],
    ['competitors',{tag:'tag3'}], ['competitors',{region:'us,gb,de'}],
    ['prompts',{}],['prompts',{engine:'chatgpt'}],
    ['sources',{}],['sources',{engine:'chatgpt'}],['sources',{tag:'tag3'}],['sources',{region:'us,gb,de'}],
    ['urls',{}],['urls',{engine:'chatgpt'}],['urls',{tag:'tag3'}],['urls',{region:'us,gb,de'}],
    ['answers',{}],['answers',{engine:'chatgpt'}],['answers',{tag:'tag3',engine:'grok'}],['answers',{prompt:'p3'}],
    ['history',{metric:'visibility',competitors:'true',days:'28'}],['history',{metric:'visibility',competitors:'true',days:'28',tag:'tag3'}],
  ] as any) {
    const times=[]; 
    for (let i=0;i<9;i++){ const s=performance.now(); await (readers as any)[read].compute({db:knex,access,brand,today:TODAY,now,robots:null,page:null}, parseParams((reads as any)[read].params, query)); times.push(performance.now()-s); }
    times.sort((a,b)=>a-b);
    console.log(size, read, JSON.stringify(query), 'min', times[0].toFixed(1), 'med', times[4].toFixed(1));
  }
}
await database.close();
