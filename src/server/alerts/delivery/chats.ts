/** The requests of chats: Slack, Discord and Microsoft Teams. Names in the texts can neither format nor mention. */
import { type Message, type Posted, shortened, type Words, wordsOf } from './message.js';

const posted = (content: object): Posted => ({
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(content),
});

const OPEN = 'Open the page';

const bulleted = (lines: readonly string[]): string => lines.map((line) => `• ${line}`).join('\n');

// Slack: Block Kit. Texts of the type plain_text are not formatted; the text for notifications is, unless `mrkdwn` is off.

/** Characters at most, of a header and of a section. */
const SLACK = { header: 150, section: 3000 } as const;

/** The three characters with a meaning in every text of Slack: mentions and links begin with `<`. */
const slackText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A text of at most so many characters once it is escaped. */
function slackPlain(text: string, most: number): object {
  let kept = shortened(text, most);
  for (let size = most; slackText(kept).length > most; size -= Math.ceil(size / 10))
    kept = shortened(text, size);
  return { type: 'plain_text', text: slackText(kept), emoji: false };
}

export function slackRequest(message: Message): Posted {
  const { title, sentence, lines, context, link } = wordsOf(message);
  const address = link?.replace(/[<>|\s]/g, encodeURIComponent).replaceAll('&', '&amp;');
  return posted({
    text: slackText(`${title}. ${sentence}`),
    mrkdwn: false,
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'header', text: slackPlain(title, SLACK.header) },
      { type: 'section', text: slackPlain(sentence, SLACK.section) },
      ...(lines.length > 0 ? [{ type: 'section', text: slackPlain(bulleted(lines), SLACK.section) }] : []),
      ...(address
        ? [{ type: 'section', text: { type: 'mrkdwn', text: `<${address}|${OPEN}>`, verbatim: true } }]
        : []),
      { type: 'context', elements: [slackPlain(context, SLACK.section)] },
    ],
  });
}

// Discord: an embed. Its texts are Markdown.

const DISCORD = { title: 256, description: 4096, footer: 512 } as const;

/** Whatever Markdown, mentions, links and timestamps begin with. `:` ends the scheme of an address, which would be a link. */
const DISCORD_MARKUP = /[\\*_~`|[\]()<>:@#]|^[-+]|^\d+(?=\.)/g;

/** A text as it is, of at most so many characters once it is escaped. */
function discordText(text: string, most: number): string {
  const escaped = (part: string) =>
    part.replace(DISCORD_MARKUP, (found) => (/^\d/.test(found) ? `${found}\\` : `\\${found}`));
  let kept = shortened(text, most);
  for (let size = most; escaped(kept).length > most; size -= Math.ceil(size / 10))
    kept = shortened(text, size);
  return escaped(kept);
}

export function discordRequest(message: Message): Posted {
  const { title, sentence, lines, context, link } = wordsOf(message);
  const texts = [sentence, ...(lines.length > 0 ? [bulleted(lines)] : [])];
  return posted({
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: discordText(title, DISCORD.title),
        description: discordText(texts.join('\n\n'), DISCORD.description),
        ...(link && { url: link }),
        // The text of a footer is not Markdown.
        footer: { text: shortened(context, DISCORD.footer) },
        timestamp: message.body.timestamp,
      },
    ],
  });
}

// Teams: an Adaptive Card, as workflows take it. A RichTextBlock does not format its texts, a TextBlock does.

/** Bytes of a message at most are 28,000. */
const TEAMS = { title: 500, sentence: 5000, line: 1000 } as const;

/** Without the functions of cards, `{{DATE(…)}}`: a character without width separates the braces. */
const teamsText = (text: string): string => text.replace(/\{(?=\{)/g, '{\u200b');

const teamsBlock = (text: string, look: object): object => ({
  type: 'RichTextBlock',
  inlines: [{ type: 'TextRun', text: teamsText(text), ...look }],
});

function card({ title, sentence, lines, context, link }: Words): object {
  return {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      teamsBlock(shortened(title, TEAMS.title), { size: 'Large', weight: 'Bolder' }),
      teamsBlock(shortened(sentence, TEAMS.sentence), {}),
      ...lines.map((line) => teamsBlock(shortened(`• ${line}`, TEAMS.line), {})),
      teamsBlock(shortened(context, TEAMS.title), { size: 'Small', isSubtle: true }),
    ],
    ...(link && { actions: [{ type: 'Action.OpenUrl', title: OPEN, url: link }] }),
  };
}

export function teamsRequest(message: Message): Posted {
  return posted({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: card(wordsOf(message)),
      },
    ],
  });
}
