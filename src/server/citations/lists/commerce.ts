import { domainList } from './domain-list.js';

/** Second-level names of shops that trade under one name in many countries: amazon.com, amazon.de, amazon.co.uk. */
export const RETAIL_NAMES: ReadonlySet<string> = new Set(
  domainList(`
    amazon ebay etsy aliexpress alibaba rakuten zalando aboutyou shein temu vinted wallapop allegro kaufland
    mercadolibre mercadolivre lazada shopee jumia olx walmart costco carrefour ikea decathlon mediamarkt fnac
    sephora lidl aldi galaxus notino douglas asos uniqlo
  `),
);

/** Second-level names of directories of reviews, offers and bookings that serve many countries. */
export const DIRECTORY_NAMES: ReadonlySet<string> = new Set(
  domainList(`
    trustpilot capterra getapp softwareadvice tripadvisor yelp glassdoor groupon idealo kelkoo skyscanner expedia
    airbnb trivago kayak
  `),
);

/** Shops and marketplaces that trade under one domain. */
export const RETAIL_DOMAINS: readonly string[] = [
  ...domainList(`
    amzn.to a.co bestbuy.com target.com homedepot.com lowes.com wayfair.com overstock.com macys.com nordstrom.com
    kohls.com jcpenney.com bloomingdales.com saksfifthavenue.com neimanmarcus.com samsclub.com bjs.com kroger.com
    wholefoodsmarket.com instacart.com walgreens.com cvs.com ulta.com chewy.com petco.com petsmart.com rei.com
    backcountry.com dickssportinggoods.com footlocker.com zappos.com newegg.com bhphotovideo.com adorama.com
    microcenter.com gamestop.com staples.com officedepot.com barnesandnoble.com bookshop.org abebooks.com thriftbooks.com
    craigslist.org offerup.com poshmark.com mercari.com stockx.com goat.com grailed.com depop.com reverb.com discogs.com
    redbubble.com society6.com zazzle.com houzz.com crateandbarrel.com potterybarn.com westelm.com williams-sonoma.com
    sweetwater.com guitarcenter.com thomann.de iherb.com vitacost.com wish.com dhgate.com banggood.com
    play.google.com apps.apple.com chromewebstore.google.com shopping.google.com store.steampowered.com
  `),
  ...domainList(`
    argos.co.uk currys.co.uk johnlewis.com marksandspencer.com tesco.com sainsburys.co.uk asda.com ocado.com boots.com
    screwfix.com diy.com very.co.uk next.co.uk ao.com waterstones.com gumtree.com onbuy.com
    otto.de saturn.de kleinanzeigen.de conrad.de alternate.de notebooksbilliger.de cyberport.de thalia.de hornbach.de
    obi.de bauhaus.info dm.de rossmann.de rewe.de tchibo.de bonprix.de baur.de mindfactory.de digitec.ch brack.ch
    cdiscount.com darty.com leroymerlin.fr boulanger.com laredoute.fr leboncoin.fr manomano.fr veepee.fr
    elcorteingles.es pccomponentes.com milanuncios.com eprice.it subito.it unieuro.it bol.com coolblue.nl coolblue.be
    marktplaats.nl wehkamp.nl cdon.se elgiganten.se elkjop.no power.no verkkokauppa.com emag.ro alza.cz heureka.cz
    ceneo.pl skroutz.gr ozon.ru wildberries.ru market.yandex.ru trendyol.com hepsiburada.com n11.com
    jd.com taobao.com tmall.com 1688.com pinduoduo.com coupang.com gmarket.co.kr 11st.co.kr yodobashi.com kakaku.com
    flipkart.com myntra.com snapdeal.com nykaa.com meesho.com tokopedia.com bukalapak.com noon.com takealot.com
    jbhifi.com.au kogan.com harveynorman.com.au bunnings.com.au woolworths.com.au coles.com.au trademe.co.nz
    magazineluiza.com.br americanas.com.br casasbahia.com.br falabella.com liverpool.com.mx canadiantire.ca
  `),
];

/** Directories of reviews, vendors, offers, homes and cars. */
export const DIRECTORY_DOMAINS = domainList(`
  g2.com trustradius.com peerspot.com softwaresuggest.com saasworthy.com crozdesk.com
  financesonline.com goodfirms.co clutch.co designrush.com sortlist.com upcity.com alternativeto.net slant.co
  stackshare.io saashub.com sourceforge.net softonic.com appsumo.com sitejabber.com bbb.org reviews.io reviews.co.uk
  feefo.com provenexpert.com trustedshops.de trustedshops.com ekomi.de kununu.com consumeraffairs.com
  checkatrade.com trustatrader.com angi.com homeadvisor.com thumbtack.com bark.com healthgrades.com zocdoc.com
  jameda.de doctolib.de doctolib.fr avvo.com findlaw.com
  edmunds.com cars.com cargurus.com autotrader.com autotrader.co.uk carvana.com mobile.de autoscout24.de carwow.co.uk
  zillow.com realtor.com redfin.com trulia.com apartments.com rightmove.co.uk zoopla.co.uk immobilienscout24.de
  booking.com hotels.com agoda.com vrbo.com hostelworld.com opentable.com holidaycheck.de getyourguide.com viator.com
  geizhals.de geizhals.at billiger.de preisvergleich.de check24.de verivox.de pricespy.co.uk pricerunner.com
  pricegrabber.com shopzilla.com camelcamelcamel.com moneysupermarket.com
  comparethemarket.com uswitch.com gocompare.com confused.com
`);
