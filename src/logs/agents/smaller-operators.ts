/**
 * Agents of smaller operators and of products that site owners connect themselves. They are listed after their first
 * hit. One entry per agent.
 */
import type { AgentEntry } from './agent.js';

const entries: readonly AgentEntry[] = [
  { token: 'AI2Bot-DeepResearchEval', operator: 'Ai2', purpose: 'user_fetch', confidence: 'third-party' },
  { token: 'AIWebIndex', operator: 'Lyrenth', purpose: 'search_index', confidence: 'third-party' },
  { token: 'amazon-kendra', operator: 'Amazon', purpose: 'search_index', label: 'Amazon Kendra crawler' },
  {
    token: 'amazon-QBusiness',
    operator: 'Amazon',
    purpose: 'search_index',
    label: 'Amazon Q Business crawler',
  },
  { token: 'Anomura', operator: 'Direqt', purpose: 'search_index' },
  { token: 'ApifyBot', operator: 'Apify', purpose: 'training', confidence: 'third-party' },
  { token: 'atlassian-bot', operator: 'Atlassian', purpose: 'search_index' },
  { token: 'bigsur.ai', operator: 'Big Sur AI', purpose: 'user_fetch', confidence: 'third-party' },
  { token: 'Channel3Bot', operator: 'Channel3', purpose: 'search_index' },
  { token: 'Cloudflare-AutoRAG', operator: 'Cloudflare', purpose: 'search_index' },
  // Other bots name repositories called "crawlspace".
  {
    token: 'Crawlspace',
    operator: 'Crawlspace',
    purpose: 'training',
    caseSensitive: true,
    confidence: 'third-party',
  },
  { token: 'GoGuidesCrawler', operator: 'GoGuides', purpose: 'search_index', confidence: 'third-party' },
  { token: 'Google-Firebase', operator: 'Google', purpose: 'user_fetch', confidence: 'third-party' },
  { token: 'HenkBot', operator: 'Valyu', purpose: 'search_index' },
  { token: 'IbouBot', operator: 'Ibou', purpose: 'search_index' },
  { token: 'Kagibot', operator: 'Kagi', purpose: 'search_index' },
  { token: 'KlaviyoAIBot', operator: 'Klaviyo', purpose: 'search_index' },
  { token: 'KunatoCrawler', operator: 'Kunato', purpose: 'training', confidence: 'undocumented' },
  {
    token: 'laion-huggingface-processor',
    operator: 'LAION',
    purpose: 'training',
    confidence: 'third-party',
  },
  { token: 'Mozilla-Tabstack', operator: 'Mozilla', purpose: 'user_fetch' },
  { token: 'ProRataInc', operator: 'ProRata', purpose: 'search_index', confidence: 'third-party' },
  { token: 'QualifiedBot', operator: 'Qualified', purpose: 'search_index' },
  { token: 'QueritBot', operator: 'Querit', purpose: 'search_index', confidence: 'third-party' },
  // Java programs call a cluster "Terracotta".
  { token: 'TerraCotta', operator: 'Ceramic AI', purpose: 'search_index', caseSensitive: true },
  { token: 'Thinkbot', operator: 'Thinkbot', purpose: 'training', confidence: 'observed' },
  { token: 'TwinAgent', operator: 'Twin', purpose: 'user_fetch', confidence: 'third-party' },
  { token: 'ZanistaBot', operator: 'Zanista AI', purpose: 'search_index' },
];

export const smallerOperators: readonly AgentEntry[] = entries.map((entry) => ({
  ...entry,
  defaultList: false,
}));
