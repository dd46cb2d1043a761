import { openDatabase } from './src/server/database/database.js';
import { findBrand } from './src/server/accounts/find-brand.js';
import { parseParams } from './src/server/parameters.js';
import { readers } from './src/server/reads/index.js';
import { reads } from './src/contract/registry.js';
const access: any = { keyId: 'b', kind: 'operator', workspaceId: null, plan: null, brandIds: null, expiresAt: null, allow: null };
const TODAY='2026-11-20'; const now=new Date(TODAY+'T12:00:00Z');
const database = await openDatabase({ url: process.argv[2]! });
const knex = database.knex;
const brand: any = await findBrand(knex, access, 'b'+process.argv[3]);
const [read, query, match] = [process.argv[4]!, JSON.parse(process.argv[5]!), process.argv[6] ?? ''];
let last = Promise.resolve() as any;
const db: any = { raw: (sql: string, b: any) => ({ options: (o: any) => (last = last.then(async () => {
  const r = await knex.raw(sql, b).options(o);
  if (o.name.includes(match)) { const e = await knex.raw('explain (analyze, buffers) ' + sql, b); console.log('#####', o.name); console.log(e.rows.map((x: any) => x['QUERY PLAN']).join('\n')); }
  return r; })) }) };
await (readers as any)[read].compute({db,access,brand,today:TODAY,now,robots:null,page:null}, parseParams((reads as any)[read].params, query));
await database.close();
