import { print } from '../../../render/terminal.js';
import { brandFlag } from '../marks/add.js';
import { NeedsCommand, needArg } from './aside.js';

export default class NeedsBack extends NeedsCommand {
  static override summary = 'Bring a need back that was set aside';
  static override examples = ['<%= config.bin %> admin needs back source_to_win:reddit.com'];
  static override args = { id: needArg };
  static override flags = { brand: brandFlag };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(NeedsBack);
    const { bringNeedBack } = await import('../../../../server/answers/needs-aside.js');
    await this.ofBrand(flags, (db, of) => bringNeedBack(db, of, args.id));
    if (flags.json) await print(`${JSON.stringify({ id: args.id, aside: false })}\n`);
    else await print(`Need ${args.id} is back.\n`);
  }
}
