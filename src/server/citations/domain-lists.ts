/** Reads a list of domains or names from text with white space between the entries. */
function domainList(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

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

/** Host labels under which publishers and companies run a publication. */
export const EDITORIAL_HOST_LABELS: ReadonlySet<string> = new Set(['blog', 'news', 'magazine', 'press']);

/** News agencies and distributors of press releases: their articles are news. */
export const NEWS_AGENCY_DOMAINS = domainList(`
  reuters.com apnews.com afp.com upi.com dpa.com dpa-international.com prnewswire.com prnewswire.co.uk businesswire.com
  globenewswire.com accesswire.com newswire.com einpresswire.com prweb.com presseportal.de openpr.com openpr.de
  marketscreener.com ptinews.com xinhuanet.com kyodonews.net ansa.it efe.com
`);

/** Newspapers, magazines, broadcasters and trade publications. */
const PUBLICATION_DOMAINS: readonly string[] = [
  ...domainList(`
    nytimes.com washingtonpost.com wsj.com usatoday.com latimes.com chicagotribune.com bostonglobe.com sfchronicle.com
    nypost.com nydailynews.com newsday.com politico.com politico.eu axios.com thehill.com vox.com slate.com salon.com
    theatlantic.com newyorker.com time.com newsweek.com usnews.com npr.org pbs.org cnn.com foxnews.com nbcnews.com
    cbsnews.com abcnews.go.com msnbc.com huffpost.com buzzfeed.com buzzfeednews.com vice.com propublica.org theintercept.com
    motherjones.com thedailybeast.com yahoo.com msn.com aol.com news.google.com
    bbc.com bbc.co.uk theguardian.com telegraph.co.uk thetimes.co.uk thetimes.com independent.co.uk dailymail.co.uk
    mirror.co.uk thesun.co.uk express.co.uk standard.co.uk metro.co.uk inews.co.uk sky.com itv.com channel4.com
    economist.com ft.com spectator.co.uk newstatesman.com irishtimes.com independent.ie rte.ie
    cbc.ca globeandmail.com theglobeandmail.com thestar.com nationalpost.com ctvnews.ca globalnews.ca
    abc.net.au smh.com.au theage.com.au afr.com news.com.au theaustralian.com.au 9news.com.au nzherald.co.nz stuff.co.nz
    thehindu.com indiatimes.com hindustantimes.com indianexpress.com ndtv.com livemint.com business-standard.com
    moneycontrol.com scmp.com straitstimes.com channelnewsasia.com japantimes.co.jp nikkei.com asahi.com koreaherald.com
    aljazeera.com haaretz.com timesofisrael.com dawn.com
  `),
  ...domainList(`
    spiegel.de zeit.de faz.net sueddeutsche.de welt.de bild.de handelsblatt.com tagesspiegel.de taz.de stern.de focus.de
    n-tv.de tagesschau.de zdf.de ard.de dw.com manager-magazin.de wiwo.de capital.de t3n.de heise.de golem.de chip.de
    computerbild.de computerbase.de netzwelt.de test.de oekotest.de finanztip.de derstandard.at diepresse.com orf.at
    kurier.at nzz.ch tagesanzeiger.ch srf.ch blick.ch 20min.ch lemonde.fr lefigaro.fr liberation.fr lesechos.fr
    leparisien.fr lexpress.fr francetvinfo.fr france24.com 01net.com numerama.com lesnumeriques.com frandroid.com
    quechoisir.org elpais.com elmundo.es abc.es lavanguardia.com expansion.com 20minutos.es xataka.com ocu.org
    corriere.it repubblica.it lastampa.it ilsole24ore.com altroconsumo.it nos.nl nu.nl volkskrant.nl nrc.nl telegraaf.nl
    tweakers.net consumentenbond.nl standaard.be lesoir.be vrt.be dn.se svd.se aftonbladet.se expressen.se vg.no
    aftenposten.no nrk.no dr.dk politiken.dk yle.fi hs.fi publico.pt gazeta.pl wyborcza.pl onet.pl
    globo.com uol.com.br folha.com estadao.com.br clarin.com lanacion.com.ar eluniversal.com.mx
  `),
  ...domainList(`
    techcrunch.com theverge.com wired.com arstechnica.com engadget.com gizmodo.com cnet.com zdnet.com pcmag.com pcworld.com
    techradar.com tomsguide.com tomshardware.com digitaltrends.com mashable.com thenextweb.com venturebeat.com
    theinformation.com theregister.com infoworld.com computerworld.com cio.com csoonline.com networkworld.com
    bleepingcomputer.com darkreading.com krebsonsecurity.com thehackernews.com securityweek.com 9to5mac.com 9to5google.com
    macrumors.com appleinsider.com androidauthority.com androidcentral.com androidpolice.com gsmarena.com notebookcheck.net
    anandtech.com howtogeek.com makeuseof.com lifehacker.com trustedreviews.com whathifi.com rtings.com dpreview.com
    dxomark.com expertreviews.co.uk stuff.tv t3.com reviewed.com technologyreview.com readwrite.com
    siliconangle.com techrepublic.com techtarget.com informationweek.com eweek.com itpro.com geekwire.com restofworld.org
    tech.eu sifted.eu eu-startups.com techinasia.com e27.co inc42.com yourstory.com theinquirer.net slashgear.com
    ign.com gamespot.com polygon.com kotaku.com eurogamer.net pcgamer.com gamesradar.com rockpapershotgun.com
  `),
  ...domainList(`
    forbes.com bloomberg.com businessinsider.com insider.com cnbc.com fortune.com inc.com entrepreneur.com fastcompany.com
    hbr.org barrons.com marketwatch.com thestreet.com fool.com seekingalpha.com morningstar.com kiplinger.com
    nerdwallet.com bankrate.com thepointsguy.com investors.com benzinga.com zacks.com qz.com businessnewsdaily.com
    business.com fundera.com smallbiztrends.com crunchbase.com cbinsights.com pymnts.com finextra.com americanbanker.com
    gartner.com forrester.com idc.com mckinsey.com emarketer.com adweek.com adage.com digiday.com marketingweek.com
    marketingdive.com thedrum.com campaignlive.co.uk searchengineland.com searchenginejournal.com seroundtable.com
    martech.org marketingprofs.com contentmarketinginstitute.com socialmediatoday.com socialmediaexaminer.com
    retaildive.com modernretail.co supplychaindive.com hrdive.com shrm.org constructiondive.com utilitydive.com
    nature.com science.org sciencemag.org scientificamerican.com newscientist.com popsci.com popularmechanics.com
    nationalgeographic.com smithsonianmag.com livescience.com space.com sciencedaily.com phys.org quantamagazine.org
    theconversation.com bmj.com thelancet.com nejm.org jamanetwork.com statnews.com medpagetoday.com webmd.com
    healthline.com verywellhealth.com verywellmind.com medicalnewstoday.com everydayhealth.com health.com prevention.com
  `),
  ...domainList(`
    consumerreports.org which.co.uk choice.com.au goodhousekeeping.com bhg.com thespruce.com realsimple.com
    apartmenttherapy.com architecturaldigest.com dezeen.com elledecor.com housebeautiful.com thisoldhouse.com bobvila.com
    marthastewart.com seriouseats.com bonappetit.com epicurious.com foodandwine.com eater.com allrecipes.com delish.com
    foodnetwork.com tasteofhome.com simplyrecipes.com thekitchn.com americastestkitchen.com winespectator.com
    vogue.com elle.com harpersbazaar.com cosmopolitan.com glamour.com allure.com instyle.com byrdie.com gq.com esquire.com
    menshealth.com womenshealthmag.com shape.com self.com runnersworld.com bicycling.com outsideonline.com
    gearjunkie.com switchbacktravel.com outdoorgearlab.com wirecutter.com thestrategist.co.uk nymag.com people.com
    variety.com hollywoodreporter.com deadline.com rollingstone.com billboard.com pitchfork.com nme.com ew.com
    rottentomatoes.com metacritic.com vulture.com espn.com si.com theathletic.com bleacherreport.com skysports.com
    travelandleisure.com cntraveler.com lonelyplanet.com afar.com timeout.com frommers.com fodors.com roughguides.com
    caranddriver.com motortrend.com roadandtrack.com autocar.co.uk topgear.com whatcar.com kbb.com jalopnik.com
    electrek.co insideevs.com autobild.de auto-motor-und-sport.de adac.de parents.com thebump.com whattoexpect.com
    babycenter.com verywellfamily.com akc.org thesprucepets.com petmd.com
  `),
];

export const EDITORIAL_DOMAINS: readonly string[] = [...NEWS_AGENCY_DOMAINS, ...PUBLICATION_DOMAINS];

/** Top-level domains that only public bodies and schools can register. */
export const INSTITUTIONAL_TLDS: ReadonlySet<string> = new Set(['gov', 'edu', 'mil', 'int']);

/** Second levels that country registries reserve for public bodies and schools: gov.uk, edu.au, ac.jp, gob.mx. */
export const INSTITUTIONAL_SECOND_LEVELS: ReadonlySet<string> = new Set([
  'gov',
  'edu',
  'mil',
  'ac',
  'gob',
  'gouv',
  'gub',
  'govt',
]);

/** Public and international bodies, and universities, that the suffix of the domain does not identify. */
export const INSTITUTIONAL_DOMAINS: readonly string[] = [
  ...domainList(`
    un.org undp.org unesco.org unicef.org unhcr.org unep.org unfpa.org unido.org unodc.org unwomen.org unctad.org
    unece.org uneca.org fao.org wfp.org ifad.org ilo.org imo.org iaea.org unaids.org ipcc.ch
    worldbank.org ifc.org imf.org wto.org oecd.org oecd-ilibrary.org bis.org fsb.org iea.org irena.org opec.org
    adb.org afdb.org iadb.org eib.org ebrd.com aiib.org weforum.org europa.eu osce.org oas.org africanunion.org
    asean.org apec.org commonwealth.org thecommonwealth.org icrc.org ifrc.org redcross.org gavi.org theglobalfund.org
    icj-cij.org pca-cpa.org fatf-gafi.org
  `),
  ...domainList(`
    go.jp lg.jp go.kr re.kr go.id go.th go.ke go.tz go.ug go.cr gc.ca canada.ca quebec.ca ontario.ca alberta.ca
    gv.at admin.ch bund.de bundestag.de bundesregierung.de bundesbank.de bundesrat.de bayern.de nrw.de berlin.de
    hamburg.de hessen.de baden-wuerttemberg.de sachsen.de destatis.de bafin.de verbraucherzentrale.de
    service-public.fr assemblee-nationale.fr senat.fr insee.fr cnil.fr has-sante.fr
    nhs.uk police.uk parliament.uk mod.uk nhs.wales gov.scot gov.wales fca.org.uk ico.org.uk bankofengland.co.uk ofcom.org.uk
    overheid.nl rijksoverheid.nl government.nl belastingdienst.nl cbs.nl belgium.be fgov.be vlaanderen.be
    regeringen.se riksdagen.se skatteverket.se scb.se regjeringen.no stortinget.no ssb.no borger.dk dst.dk
    valtioneuvosto.fi stat.fi boe.es ine.es agenciatributaria.es istat.it camera.it senato.it
    kremlin.ru usps.com
  `),
  ...domainList(`
    tum.de lmu.de rwth-aachen.de uni-heidelberg.de fu-berlin.de hu-berlin.de tu-berlin.de
    uni-muenchen.de uni-hamburg.de uni-koeln.de uni-bonn.de uni-frankfurt.de uni-freiburg.de uni-goettingen.de
    uni-mannheim.de uni-stuttgart.de tu-dresden.de fraunhofer.de mpg.de helmholtz.de leibniz-gemeinschaft.de dlr.de
    ethz.ch epfl.ch uzh.ch unige.ch unibas.ch unisg.ch cern.ch tugraz.at
    sorbonne-universite.fr polytechnique.fr sciencespo.fr cnrs.fr inserm.fr inria.fr
    uva.nl tudelft.nl leidenuniv.nl uu.nl kuleuven.be ugent.be ku.dk dtu.dk kth.se lu.se uu.se uio.no ntnu.no
    helsinki.fi aalto.fi polimi.it unibo.it uniroma1.it ucm.es uab.cat ulisboa.pt up.pt
    utoronto.ca ubc.ca mcgill.ca uwaterloo.ca ualberta.ca usp.br unicamp.br
  `),
];

/** Encyclopedias, dictionaries, standards and bibliographic indexes. */
export const REFERENCE_DOMAINS: readonly string[] = [
  ...domainList(`
    wikipedia.org wikimedia.org wiktionary.org wikidata.org wikibooks.org wikiquote.org wikisource.org wikiversity.org
    wikivoyage.org wikinews.org wikispecies.org mediawiki.org dbpedia.org wikimedia.de wikitravel.org citizendium.org
    britannica.com encyclopedia.com scholarpedia.org newworldencyclopedia.org worldhistory.org infoplease.com
    treccani.it larousse.fr universalis.fr brockhaus.de duden.de dwds.de rae.es baike.baidu.com kotobank.jp namu.wiki
    merriam-webster.com dictionary.com thesaurus.com thefreedictionary.com oed.com oxfordreference.com
    oxfordlearnersdictionaries.com dictionary.cambridge.org collinsdictionary.com macmillandictionary.com
    ldoceonline.com vocabulary.com wordreference.com linguee.com dict.cc leo.org pons.com etymonline.com
    urbandictionary.com acronymfinder.com investopedia.com techopedia.com webopedia.com imdb.com snopes.com
  `),
  ...domainList(`
    w3.org whatwg.org ietf.org rfc-editor.org iana.org icann.org iso.org iec.ch ieee.org ecma-international.org
    unicode.org etsi.org oasis-open.org omg.org opengroup.org ansi.org astm.org asme.org sae.org ul.com nfpa.org
    din.de beuth.de bsigroup.com afnor.org cencenelec.eu jisc.jp csagroup.org schema.org json-schema.org
    openapis.org khronos.org bluetooth.com usb.org wi-fi.org pcisecuritystandards.org cisecurity.org owasp.org
    mitre.org developer.mozilla.org w3schools.com
  `),
  ...domainList(`
    arxiv.org biorxiv.org medrxiv.org ssrn.com doi.org crossref.org orcid.org jstor.org semanticscholar.org
    scholar.google.com openalex.org dblp.org worldcat.org archive.org gutenberg.org openlibrary.org books.google.com
    ourworldindata.org statista.com acm.org plos.org cochranelibrary.com
  `),
];

/** Question and answer sites that share the Stack Exchange software and its URLs. */
export const STACK_EXCHANGE_DOMAINS = domainList(`
  stackoverflow.com superuser.com serverfault.com askubuntu.com mathoverflow.net stackapps.com stackexchange.com
`);

/** Forums, boards, and question and answer sites: every page is a discussion. */
export const FORUM_DOMAINS: readonly string[] = [
  ...STACK_EXCHANGE_DOMAINS,
  ...domainList(`
    reddit.com redd.it quora.com news.ycombinator.com lobste.rs slashdot.org metafilter.com tildes.net lemmy.world
    groups.google.com groups.io answers.microsoft.com discussions.apple.com answers.com fluther.com
    chiebukuro.yahoo.co.jp zhihu.com tieba.baidu.com zhidao.baidu.com v2ex.com 5ch.net 4chan.org 4channel.org
    gutefrage.net wer-weiss-was.de motor-talk.de wallstreet-online.de forocoches.com commentcamarche.net
    mumsnet.com netmums.com thestudentroom.co.uk whirlpool.net.au hardwarezone.com.sg
    avsforum.com head-fi.org xda-developers.com overclock.net linustechtips.com resetera.com neogaf.com
    bogleheads.org biggerpockets.com elitetrader.com city-data.com bitcointalk.org
    blackhatworld.com warriorforum.com digitalpoint.com namepros.com indiehackers.com
    spiceworks.com tek-tips.com experts-exchange.com audiosciencereview.com styleforum.net
    rennlist.com bimmerpost.com teslamotorsclub.com garagejournal.com diychatroom.com
    cruisecritic.com flyertalk.com hotukdeals.com mydealz.de dealabs.com pepper.pl slickdeals.net
    ozbargain.com.au redflagdeals.com
  `),
];

const SOCIAL_DOMAINS = domainList(`
  facebook.com fb.com fb.watch messenger.com instagram.com threads.net threads.com x.com twitter.com t.co
  linkedin.com lnkd.in pinterest.com pinterest.co.uk pinterest.de pinterest.fr pinterest.es pinterest.it pinterest.ca
  pinterest.com.au pinterest.jp pin.it snapchat.com tumblr.com vk.com ok.ru weibo.com xiaohongshu.com douban.com
  mastodon.social mastodon.online fosstodon.org bsky.app nextdoor.com xing.com meetup.com telegram.org t.me
  discord.com discord.gg whatsapp.com line.me kakao.com steamcommunity.com producthunt.com goodreads.com letterboxd.com
  strava.com flickr.com imgur.com 9gag.com deviantart.com behance.net dribbble.com linktr.ee truthsocial.com gab.com
`);

const VIDEO_DOMAINS = domainList(`
  youtube.com youtu.be youtube-nocookie.com youtubekids.com vimeo.com dailymotion.com tiktok.com twitch.tv rumble.com
  odysee.com bitchute.com bilibili.com nicovideo.jp youku.com rutube.ru kick.com loom.com
  soundcloud.com mixcloud.com podbean.com
`);

/** Platforms where anybody can publish on the domain of the platform. */
const SELF_PUBLISHING_DOMAINS = domainList(`
  medium.com substack.com dev.to hashnode.dev hashnode.com hackernoon.com blogspot.com blogger.com wordpress.com
  livejournal.com ghost.io beehiiv.com write.as telegra.ph note.com qiita.com zenn.dev habr.com csdn.net juejin.cn
  naver.com tistory.com hatenablog.com ameblo.jp over-blog.com wixsite.com weebly.com jimdosite.com
  github.com gitlab.com bitbucket.org github.io gitlab.io codepen.io kaggle.com huggingface.co replit.com
  slideshare.net scribd.com issuu.com speakerdeck.com fandom.com wikihow.com instructables.com
  hubpages.com vocal.media patreon.com ko-fi.com buymeacoffee.com change.org
`);

/** Content by the users of a platform: forums, social networks, video, questions and answers, self-publishing. */
export const UGC_DOMAINS: readonly string[] = [
  ...FORUM_DOMAINS,
  ...SOCIAL_DOMAINS,
  ...VIDEO_DOMAINS,
  ...SELF_PUBLISHING_DOMAINS,
];
