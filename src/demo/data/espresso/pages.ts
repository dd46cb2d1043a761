/** Pages of third parties that answers about espresso machines cite. */
import type { Page } from '../market.js';
import { threads } from './threads.js';
import { videos } from './videos.js';

const articles: readonly Page[] = [
  {
    url: 'https://www.nytimes.com/wirecutter/reviews/best-espresso-machine-grinder-and-accessories-for-beginners/',
    title: 'The 3 Best Espresso Machines for Beginners of 2026',
    topics: ['buying', 'beginner'],
    weight: 9,
  },
  {
    url: 'https://www.seriouseats.com/best-espresso-machines-7373529',
    title: 'We Tested 18 Espresso Machines: These Are the Best',
    topics: ['buying', 'beginner', 'milk'],
    weight: 8,
  },
  {
    url: 'https://www.techradar.com/best/best-espresso-machine',
    title: 'The 7 best espresso machines of 2026, tested and ranked',
    topics: ['buying', 'value'],
    weight: 6,
  },
  {
    url: 'https://www.tomsguide.com/best-picks/best-espresso-machines',
    title: 'The best espresso machines in 2026',
    topics: ['buying', 'compact'],
    weight: 5,
  },
  {
    url: 'https://www.bonappetit.com/story/best-espresso-machine',
    title: 'The Best Espresso Machines, Tested by Our Editors',
    topics: ['buying', 'milk'],
    weight: 4,
  },
  {
    url: 'https://www.goodhousekeeping.com/appliances/coffee-maker-reviews/g32748/best-espresso-machines/',
    title: '9 Best Espresso Machines, According to Experts',
    topics: ['buying', 'beginner', 'milk'],
    weight: 4,
  },
  {
    url: 'https://www.foodandwine.com/best-compact-espresso-machines-8362514',
    title: 'The 6 Best Compact Espresso Machines for Small Kitchens',
    topics: ['compact'],
    weight: 7,
  },
  {
    url: 'https://www.thespruceeats.com/best-small-espresso-machines-5198321',
    title: 'Best Small Espresso Machines',
    topics: ['compact'],
    weight: 4,
  },
  {
    url: 'https://www.wired.com/review/torvello-arco-espresso-machine/',
    title: 'Torvello Arco Review: Great Shots, Patient Milk',
    topics: ['buying', 'milk', 'compact'],
    weight: 3,
  },
  {
    url: 'https://www.techradar.com/reviews/lanzaro-primo',
    title: 'Lanzaro Primo review',
    topics: ['buying', 'milk'],
    weight: 4,
  },
  {
    url: 'https://www.theguardian.com/thefilter/2026/mar/14/best-espresso-machines-uk',
    title: 'The best espresso machines to turn your kitchen into a café',
    region: 'gb',
    weight: 7,
  },
  {
    url: 'https://www.which.co.uk/reviews/coffee-machines/article/how-to-buy-the-best-coffee-machine-aPkZ58Q9d3Lq',
    title: 'How to buy the best coffee machine',
    region: 'gb',
    weight: 6,
  },
  {
    url: 'https://www.bbcgoodfood.com/review/best-coffee-machines',
    title: 'Best coffee machines 2026, tried and tested',
    region: 'gb',
    weight: 5,
  },
  {
    url: 'https://www.test.de/Espressomaschinen-im-Test-4635644-0/',
    title: 'Espressomaschinen im Test',
    region: 'de',
    weight: 8,
  },
  {
    url: 'https://www.chip.de/artikel/Siebtraegermaschinen-Test_182391.html',
    title: 'Siebträgermaschinen Test: Die besten Modelle im Vergleich',
    region: 'de',
    weight: 6,
  },
  {
    url: 'https://www.coffeeness.de/en/best-espresso-machine/',
    title: 'Best Espresso Machine 2026: 12 Machines Reviewed',
    weight: 3,
  },
  {
    url: 'https://www.homegrounds.co/best-home-espresso-machines/',
    title: '11 Best Espresso Machines for Home Baristas',
    topics: ['buying', 'beginner'],
    weight: 4,
  },
  {
    url: 'https://www.homegrounds.co/lanzaro-primo-vs-torvello-arco/',
    title: 'Lanzaro Primo vs Torvello Arco: Which Is Better?',
    topics: ['buying'],
    weight: 3,
  },
  {
    url: 'https://www.homegrounds.co/lanzaro-alternatives/',
    title: '8 Lanzaro alternatives worth a look',
    topics: ['buying', 'value'],
    weight: 2,
  },
  {
    url: 'https://perfectdailygrind.com/2026/02/are-compact-espresso-machines-here-to-stay/',
    title: 'Are compact espresso machines here to stay?',
    topics: ['compact'],
    weight: 2,
  },
  {
    url: 'https://sprudge.com/how-to-dial-in-espresso-at-home-190233.html',
    title: 'How To Dial In Espresso At Home',
    topics: ['beginner'],
    weight: 5,
  },
  {
    url: 'https://clivecoffee.com/blogs/learn/how-to-descale-an-espresso-machine',
    title: 'How to Descale an Espresso Machine',
    topics: ['value'],
    weight: 5,
  },
  {
    url: 'https://www.wholelattelove.com/blogs/articles/single-boiler-vs-dual-boiler',
    title: 'Single Boiler vs. Dual Boiler Espresso Machines',
    topics: ['buying', 'milk'],
    weight: 3,
  },
  {
    url: 'https://www.seattlecoffeegear.com/collections/espresso-machines',
    title: 'Espresso Machines',
    topics: ['buying', 'value', 'milk'],
    weight: 2,
  },
  {
    url: 'https://www.amazon.com/dp/B0CX7TVLA2',
    title: 'Torvello Piccola Espresso Machine, Steel',
    topics: ['compact', 'value'],
    weight: 3,
  },
  {
    url: 'https://www.amazon.com/s?k=espresso+machine&rh=p_72%3A1248897011',
    topics: ['value'],
    weight: 1,
  },
  {
    url: 'https://www.trustpilot.com/review/torvello.example',
    title: 'Torvello Reviews | Read Customer Service Reviews of torvello.example',
    topics: ['value'],
    weight: 2,
  },
  {
    url: 'https://en.wikipedia.org/wiki/Espresso_machine',
    title: 'Espresso machine - Wikipedia',
    weight: 2,
  },
  {
    url: 'https://www.energystar.gov/products/coffee_brewers',
    topics: ['value', 'compact'],
    weight: 1,
  },
  {
    url: 'https://www.reuters.com/business/retail-consumer/home-coffee-machine-makers-see-demand-hold-2026-05-19/',
    title: 'Home coffee machine makers see demand hold',
    topics: ['value', 'buying'],
    weight: 1,
  },
  {
    url: 'https://beanhaul.example/journal/milk-steaming-guide?page=2',
    title: 'A guide to steaming milk, part two',
    topics: ['milk'],
    weight: 3,
  },
];

export const pages: readonly Page[] = [...articles, ...threads, ...videos];
