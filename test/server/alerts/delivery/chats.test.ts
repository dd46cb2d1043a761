import { expect } from 'chai';
import fc from 'fast-check';
import { discordRequest, slackRequest, teamsRequest } from '../../../../src/server/alerts/delivery/chats.js';
import { mailOf } from '../../../../src/server/alerts/delivery/mail.js';
import { type Message, messageOf, type Posted } from '../../../../src/server/alerts/delivery/message.js';
import { dataOf, eventOf, HOSTILE, moveOf } from './support/events.js';

const messageWith = (fields: object, publicUrl: string | null = 'https://svc.example.com'): Message =>
  messageOf({ ...eventOf('a', { data: dataOf(fields) }), id: 'evt_a' }, publicUrl);
const hostile = messageWith({
  title: HOSTILE,
  sentence: HOSTILE,
  brand: { id: 'b', name: HOSTILE, domain: HOSTILE },
  link: '/brands/a%3Eb|c',
});
const contentOf = ({ body }: Posted) => JSON.parse(body);
const textOf = fc.string({ unit: 'grapheme', maxLength: 5000 });
/** Every text of a value, at any depth. */
const textsOf = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : value && typeof value === 'object'
      ? Object.values(value).flatMap(textsOf)
      : [];

describe('a message in Slack', () => {
  it('says what happened, on blocks', () => {
    expect(contentOf(slackRequest(messageWith({})))).to.deep.equal({
      text: 'Acme: visibility fell. Visibility fell from 50 % to 35 % in the week to 2026-11-15.',
      mrkdwn: false,
      unfurl_links: false,
      unfurl_media: false,
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: 'Acme: visibility fell', emoji: false } },
        {
          type: 'section',
          text: {
            type: 'plain_text',
            text: 'Visibility fell from 50 % to 35 % in the week to 2026-11-15.',
            emoji: false,
          },
        },
        {
          type: 'section',
          text: { type: 'mrkdwn', text: '<https://svc.example.com/brands/b|Open the page>', verbatim: true },
        },
        {
          type: 'context',
          elements: [
            { type: 'plain_text', text: 'Move · acme.com · 9 Nov – 15 Nov 2026 (UTC)', emoji: false },
          ],
        },
      ],
    });
  });

  it('says because of what, where that is known', () => {
    const because = 'Because of <best> shoes? (−2.4 points).';
    const { blocks, text } = contentOf(slackRequest(messageWith({ because })));
    const end = ' Because of &lt;best&gt; shoes? (−2.4 points).';
    expect(blocks[1].text.text.endsWith(end)).to.equal(true);
    expect(text.endsWith(end)).to.equal(true);
    for (const request of [discordRequest, teamsRequest])
      expect(request(messageWith({ because })).body).to.contain('shoes? ');
  });

  it('mentions nobody and links nowhere, whatever names contain', () => {
    const { blocks, text } = contentOf(slackRequest(hostile));
    const [link, ...others] = textsOf([blocks, text]).sort((a) => (a.startsWith('<') ? -1 : 1));
    expect(link).to.equal('<https://svc.example.com/brands/a%3Eb%7Cc|Open the page>');
    for (const each of others) expect(each).to.not.match(/[<>\p{Cc}\u202e]/u);
    expect(text).to.contain('&lt;!channel&gt;').and.contain('&amp;amp;');
    expect(textsOf(blocks).filter((each) => each === 'mrkdwn')).to.have.length(1);
  });

  it('is within the limits of blocks', () => {
    fc.assert(
      fc.property(textOf, (title) => {
        const { blocks } = contentOf(
          slackRequest(messageWith({ title: `${title}<<<<`, sentence: `${title}x` })),
        );
        expect(blocks[0].text.text.length).to.be.within(1, 150);
        expect(blocks[1].text.text.length).to.be.within(1, 3000);
      }),
    );
  });
});

describe('a message in Discord', () => {
  it('is an embed, and mentions nobody', () => {
    const content = contentOf(discordRequest(messageWith({ sentence: '12. from 1.5 to 2' })));
    expect(content.allowed_mentions).to.deep.equal({ parse: [] });
    expect(content.embeds).to.deep.equal([
      {
        title: 'Acme\\: visibility fell',
        description: '12\\. from 1.5 to 2',
        url: 'https://svc.example.com/brands/b',
        footer: { text: 'Move · acme.com · 9 Nov – 15 Nov 2026 (UTC)' },
        timestamp: '2026-11-20T12:00:00.000Z',
      },
    ]);
  });

  it('has every sign of Markdown, of mentions and of links escaped', () => {
    const [embed] = contentOf(discordRequest(hostile)).embeds;
    for (const text of [embed.title, embed.description]) {
      expect(text.replace(/\\[^\p{L}\p{N}\s]/gu, '')).to.not.match(/[\\*_~`|[\]()<>:@#]/);
      expect(text.replace(/\\(?=[^\p{L}\p{N}\s])/gu, '')).to.contain('**b** _c_ `d` ~e~');
    }
  });

  it('is within the limits of embeds', () => {
    fc.assert(
      fc.property(textOf, (title) => {
        const [embed] = contentOf(
          discordRequest(messageWith({ title: `${title}****`, sentence: `${title}x` })),
        ).embeds;
        expect(embed.title.length).to.be.within(1, 256);
        expect(embed.description.length).to.be.within(1, 4096);
        expect(embed.title.length + embed.description.length + embed.footer.text.length).to.be.at.most(6000);
      }),
    );
  });
});

describe('a message in Teams', () => {
  const cardOf = (message: Message) => contentOf(teamsRequest(message)).attachments[0].content;

  it('is an Adaptive Card with texts that are not formatted', () => {
    const { attachments, type } = contentOf(teamsRequest(messageWith({})));
    expect([type, attachments[0].contentType]).to.deep.equal([
      'message',
      'application/vnd.microsoft.card.adaptive',
    ]);
    const { body, actions, version } = cardOf(messageWith({}));
    expect(version).to.equal('1.4');
    expect(body.map((each: { type: string }) => each.type)).to.deep.equal(Array(3).fill('RichTextBlock'));
    expect(body[1].inlines[0].text).to.equal('Visibility fell from 50 % to 35 % in the week to 2026-11-15.');
    expect(actions).to.deep.equal([
      { type: 'Action.OpenUrl', title: 'Open the page', url: 'https://svc.example.com/brands/b' },
    ]);
  });

  it('runs no function of cards, and has no entity of a mention', () => {
    const card = cardOf(hostile);
    expect(JSON.stringify(card.body)).to.contain('{\u200b{DATE(').and.not.contain('{{');
    expect(card.msteams).to.equal(undefined);
    expect(JSON.stringify(card))
      .to.not.contain('TextBlock"}')
      .and.not.match(/"type":"TextBlock"/);
  });

  it('has no action without a link', () => {
    expect(cardOf(messageWith({}, null)).actions).to.equal(undefined);
  });

  it('is shorter than a message of Teams may be', () => {
    fc.assert(
      fc.property(textOf, (title) => {
        const { body } = teamsRequest(messageWith({ title, sentence: title.repeat(3) }));
        expect(Buffer.byteLength(body)).to.be.below(28_000);
      }),
    );
  });
});

describe('a message about several moves', () => {
  const titles = Array.from({ length: 11 }, (_, at) => `Metric ${at} rose`);
  const moves = titles.map((title, at) =>
    moveOf(title, at === 0 ? { engines: ['chatgpt', 'aio', 'grok', 'claude'], rivals: ['Globex'] } : {}),
  );
  const message = messageWith({ moves, title: titles[0], sentence: `${titles[0]}.` });

  it('has at most eight of them as data, and how many more there are', () => {
    const { data } = message.body;
    expect(data.moves.map(({ title }) => title)).to.deep.equal(titles.slice(0, 8));
    expect(data.more_moves).to.equal(3);
  });

  it('is a headline, what says the same, and a line for each, in every chat', () => {
    const { text, blocks } = contentOf(slackRequest(message));
    expect(text).to.contain('Acme: Metric 0 rose, and 10 more.');
    expect(blocks[1].text.text).to.equal(
      'Metric 0 rose. So it did on ChatGPT, AI Overviews, Grok and 1 more. In return the share of voice of Globex moved the other way.',
    );
    const lines = blocks[2].text.text.split('\n');
    expect(lines).to.have.length(8);
    expect([lines[0], lines.at(-1)]).to.deep.equal(['• Metric 1 rose.', '• And 3 more.']);
    const [{ description }] = contentOf(discordRequest(message)).embeds;
    expect(description.split('\n')).to.have.length(10);
    const { body } = contentOf(teamsRequest(message)).attachments[0].content;
    expect(body).to.have.length(11);
    expect(body[2].inlines[0].text).to.equal('• Metric 1 rose.');
  });

  it('is a list in a mail', () => {
    const { subject, text, html } = mailOf(message, { name: '', address: 'a@svc.example' });
    expect(subject).to.equal('Acme: Metric 0 rose, and 10 more');
    expect(text).to.contain('\n- Metric 1 rose.\n- Metric 2 rose.\n').and.contain('\n- And 3 more.\n');
    expect(html.split('<li')).to.have.length(9);
  });
});
