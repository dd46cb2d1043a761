import Ingest, { type Parsed } from './index.js';

export default class IngestInspect extends Ingest {
  // Help lists it below `ingest`, not beside it.
  static override inHelp = undefined as unknown as typeof Ingest.inHelp;
  static override summary = 'Show what logs hold, and send nothing';
  static override description =
    'Parses the logs as the server does: requests, crawlers, and whether lines have the address of the client, without which no crawler can be verified (docs/logs.md).';
  static override examples = [
    '<%= config.bin %> ingest inspect /var/log/nginx/access.log',
    'zcat -f /var/log/nginx/access.log* | <%= config.bin %> ingest inspect --json',
  ];

  // Inherited ones are not read.
  static override strict = false;
  static override args = Ingest.args;
  static override flags = Ingest.flags;

  protected override async parseAll(): Promise<Parsed> {
    const parsed = await this.parse(IngestInspect);
    return { ...parsed, flags: { ...parsed.flags, 'dry-run': true } };
  }
}
