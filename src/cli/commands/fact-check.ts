import { boolean } from '@oclif/core/flags';
import { engineLabel } from '../../contract/glossary.js';
import { FACT_CHECK_STALE_DAYS } from '../../contract/limits.js';
import {
  type Discrepancy,
  discrepancy,
  factCheck,
  type factCheckResult,
} from '../../contract/reads/fact-check.js';
import { type RunFactCheck, runFactCheck } from '../../contract/reads/run-fact-check.js';
import type { Infer } from '../../contract/schema.js';
import { ApiCommand } from '../base/api-command.js';
import { readFlags } from '../base/flags.js';
import { noteOf, printRead, type ReadFlags } from '../base/read.js';
import type { Document } from '../render/document.js';
import type { Drawing } from '../render/format.js';
import type { Format } from '../render/terminal.js';
import { columnsOf, counted, engine, moment, type TableView } from '../render/view.js';
import { answerHint } from '../render/wording.js';

type Data = Infer<typeof factCheck.response>;

type Result = Infer<typeof factCheckResult>;

const drawing: Drawing<Data, Discrepancy> = { table: () => discrepanciesView, draw };

export default class FactCheck extends ApiCommand {
  static override inHelp = { group: 'VISIBILITY', place: 11 };
  static override summary = factCheck.summary;
  static override description =
    'Answers are compared with the brand’s own knowledge base, not with general truth. The result is that ' +
    'of the last check, and it is marked as stale once it is a week old. --run runs a check now, unless the ' +
    'result is fresh: it asks a language model once, which costs about 0.01 to 0.02 USD and may take a ' +
    'minute. Formats other than the table print one discrepancy per row.';
  static override examples = [
    '<%= config.bin %> fact-check',
    '<%= config.bin %> fact-check --run',
    '<%= config.bin %> fact-check --json',
  ];
  static override flags = {
    ...readFlags(factCheck),
    run: boolean({ description: runFactCheck.summary }),
    force: boolean({ description: runFactCheck.params.force.description, dependsOn: ['run'] }),
  };

  override async run(): Promise<void> {
    const { flags } = await this.parse(FactCheck);
    if (flags.run) return this.#check(flags);
    await printRead(this, flags, factCheck, {
      request: (svc, params, options) => svc.factCheck(params, options),
      view: drawing,
    });
  }

  async #check(flags: ReadFlags): Promise<void> {
    const { params, response, tool } = runFactCheck;
    const read = { params, response, mainRows: factCheck.mainRows };
    await printRead<typeof params, RunFactCheck, Discrepancy>(this, flags, read, {
      waiting: 'Checking facts with a language model, which may take a minute …',
      request: (svc, params, options) => svc.tools.call(tool, params, options),
      view: drawing,
      // Without a check, the note of the tool repeats the outcome.
      notes: (data, format) => [outcomeOf(data), ...(data.ran ? noteOf(data, format) : [])],
    });
  }
}

/** States whether a check ran, why not, and what it cost. */
function outcomeOf({ ran, reason, cost_usd }: RunFactCheck): string {
  if (ran)
    return `A check ran now${cost_usd === null ? '; its cost is unknown.' : ` and cost ${cost_usd} USD.`}`;
  const why = reason === null ? '' : `: ${reasons[reason] ?? reason}`;
  return `No check ran and nothing was spent${why}.`;
}

const reasons: { readonly [reason in NonNullable<RunFactCheck['reason']>]: string } = {
  fresh_result: `the last result is younger than ${FACT_CHECK_STALE_DAYS} days. --force runs one anyway`,
};

function draw({ brand, fact_check: result }: Data, document: Document): void {
  const name = `Fact check · ${brand.name}`;
  if (result === null) {
    document.title(name, 'Never checked. Whether answers are right is not known.');
    return;
  }
  const { discrepancies, answers_checked } = result;
  document.title(
    name,
    `${result.stale ? 'STALE · ' : ''}checked ${ageOf(result)} · ${answersOf(result)} · ${costOf(result)}`,
  );
  if (result.stale) document.sentences(`${stalenessOf(result)} It never refreshes on its own.`);
  if (discrepancies.length === 0) {
    document.sentences(
      answers_checked === 0 ? 'No answer was checked.' : 'Every checked answer matched the knowledge base.',
    );
    return;
  }
  document.title(`Discrepancies (${discrepancies.length})`);
  for (const one of discrepancies) {
    document.item(`${one.severity} · ${engineLabel(one.engine)}`, looks[one.severity], [
      ['claim  ', one.claim],
      ['truth  ', one.truth],
      ...(one.run_id === null ? [] : [['answer ', one.run_id] as const]),
    ]);
  }
  const shown = discrepancies.find(({ run_id }) => run_id !== null);
  if (shown) document.sentences(answerHint(shown.run_id!, brand));
}

const looks: { readonly [severity in Discrepancy['severity']]: readonly Format[] } = {
  high: ['red', 'bold'],
  medium: ['yellow'],
  low: [],
};

const stalenessOf = ({ age_days, stale_after_days }: Result): string =>
  age_days === null
    ? 'The age of this result is not known.'
    : `This result is ${stale_after_days} or more days old.`;

function ageOf({ checked_at, age_days }: Result): string {
  if (age_days === null) return `at an unreadable time (${checked_at})`;
  const age = age_days === 0 ? 'today' : `${counted(age_days, 'day')} ago`;
  return `${age} (${moment(checked_at)})`;
}

const answersOf = ({ answers_checked }: Result): string => `${counted(answers_checked, 'answer')} compared`;
const costOf = ({ cost_usd }: Result): string =>
  cost_usd === null ? 'cost unknown' : `cost ${cost_usd} USD`;

const column = columnsOf(discrepancy);

const discrepanciesView: TableView<Discrepancy> = {
  noun: 'discrepancies',
  columns: [
    column('severity'),
    engine(),
    column('claim', { room: 'flexible' }),
    column('truth', { room: 'flexible' }),
    column('run_id', { head: 'run', text: ({ run_id }) => run_id ?? '', room: 'spare' }),
  ],
};
