/** The shops that sell espresso machines, and the ads next to answers. */
import type { AdUnit, Merchant, Region } from '../market.js';

export const merchants: Readonly<Record<Region, readonly Merchant[]>> = {
  us: [
    { name: 'Amazon', link: 'https://www.amazon.com/dp/' },
    { name: 'Beanhaul', link: 'https://www.beanhaul.example/us/p/' },
  ],
  gb: [
    { name: 'Amazon.co.uk', link: 'https://www.amazon.co.uk/dp/' },
    { name: 'Kettle & Cog', link: 'https://kettleandcog.example/products/' },
  ],
  de: [
    { name: 'Amazon.de', link: 'https://www.amazon.de/dp/' },
    { name: 'Küchenkontor', link: 'https://www.kuechenkontor.example/artikel/' },
  ],
};

/** The ads as engines report them: with or without link, cards and name. */
export const ads: readonly AdUnit[] = [
  {
    weight: 5,
    ad: {
      advertiser: 'Lanzaro',
      advertiser_url: 'https://lanzaro.example/?gclid=demo',
      favicon_url: 'https://lanzaro.example/favicon.ico',
      cards: [
        {
          title: 'Lanzaro Primo',
          body: 'Café pressure, ready in 40 seconds. Free delivery.',
          target_url: 'https://lanzaro.example/products/primo?utm_source=chatgpt',
          image_url: 'https://lanzaro.example/images/primo.jpg',
        },
        {
          title: 'Trade in your old machine',
          body: 'Up to $150 off the Primo Max.',
          target_url: 'https://lanzaro.example/trade-in',
        },
      ],
    },
  },
  {
    weight: 4,
    ad: {
      advertiser: 'Beanhaul',
      advertiser_url: 'https://www.beanhaul.example',
      favicon_url: 'https://www.beanhaul.example/favicon.png',
      cards: [
        {
          title: 'Espresso machines, tested by us',
          body: 'Thirty days to change your mind.',
          target_url: 'https://www.beanhaul.example/us/espresso',
        },
      ],
    },
  },
  {
    weight: 2,
    ad: {
      advertiser: 'Torvello',
      advertiser_url: 'https://www.torvello.example',
      cards: [
        {
          title: 'Torvello Piccola',
          body: '14 cm wide.',
          target_url: 'https://www.torvello.example/products/piccola',
        },
      ],
    },
  },
  { weight: 2, ad: { advertiser: 'Cremalto', advertiser_url: 'https://www.cremalto.example', cards: [] } },
  { weight: 1, ad: { advertiser: 'Kettle & Cog' } },
  { weight: 1, ad: { cards: [{ title: 'Coffee gear sale', body: 'This week only.' }] } },
];
