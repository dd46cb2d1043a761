/** The migrations as a fixed list, so that source and build agree on their names. */
import type { Knex } from 'knex';
import * as accounts from './01-accounts.js';
import * as catalog from './02-catalog.js';
import * as runs from './03-runs.js';
import * as rollups from './04-rollups.js';
import * as observed from './05-observed.js';
import * as shopping from './06-shopping.js';
import * as quotes from './07-quotes.js';
import * as dailyStats from './08-daily-stats.js';
import * as crawlerAgents from './09-crawler-agents.js';
import * as factCheckRuns from './10-fact-check-runs.js';
import * as brandVersions from './11-brand-versions.js';
import * as retention from './12-retention.js';
import * as panels from './13-panels.js';
import * as surfaces from './14-surfaces.js';
import * as signInLinks from './15-sign-in-links.js';
import * as regions from './16-regions.js';
import * as forumPages from './17-forum-pages.js';
import * as citedByPrompt from './18-cited-by-prompt.js';
import * as runsByPrompt from './19-runs-by-prompt.js';
import * as enginePrompts from './20-engine-prompts.js';
import * as endedSessions from './21-ended-sessions.js';
import * as shares from './22-shares.js';
import * as slices from './23-slices.js';
import * as presentCitations from './24-present-citations.js';
import * as rivals from './25-rivals.js';
import * as outcomes from './26-outcomes.js';
import * as retiredCompetitors from './27-retired-competitors.js';
import * as moves from './28-moves.js';
import * as destinations from './29-destinations.js';
import * as collections from './30-collections.js';
import * as promptSums from './31-prompt-sums.js';
import * as storedPresence from './32-stored-presence.js';
import * as searchedNames from './33-searched-names.js';

const migrations: Record<string, Knex.Migration> = {
  '01-accounts': accounts,
  '02-catalog': catalog,
  '03-runs': runs,
  '04-rollups': rollups,
  '05-observed': observed,
  '06-shopping': shopping,
  '07-quotes': quotes,
  '08-daily-stats': dailyStats,
  '09-crawler-agents': crawlerAgents,
  '10-fact-check-runs': factCheckRuns,
  '11-brand-versions': brandVersions,
  '12-retention': retention,
  '13-panels': panels,
  '14-surfaces': surfaces,
  '15-sign-in-links': signInLinks,
  '16-regions': regions,
  '17-forum-pages': forumPages,
  '18-cited-by-prompt': citedByPrompt,
  '19-runs-by-prompt': runsByPrompt,
  '20-engine-prompts': enginePrompts,
  '21-ended-sessions': endedSessions,
  '22-shares': shares,
  '23-slices': slices,
  '24-present-citations': presentCitations,
  '25-rivals': rivals,
  '26-outcomes': outcomes,
  '27-retired-competitors': retiredCompetitors,
  '28-moves': moves,
  '29-destinations': destinations,
  '30-collections': collections,
  '31-prompt-sums': promptSums,
  '32-stored-presence': storedPresence,
  '33-searched-names': searchedNames,
};

export const migrationSource: Knex.MigrationSource<string> = {
  getMigrations: async () => Object.keys(migrations),
  getMigrationName: (name) => name,
  getMigration: async (name) => migrations[name]!,
};
