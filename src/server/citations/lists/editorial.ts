import { domainList } from './domain-list.js';

/** Host labels under which publishers and companies run a publication. */
export const EDITORIAL_HOST_LABELS: ReadonlySet<string> = new Set(['blog', 'news', 'magazine', 'press']);

/** News agencies and distributors of press releases: their articles are news. */
export const NEWS_AGENCY_DOMAINS = domainList(`
  reuters.com apnews.com afp.com upi.com dpa.com dpa-international.com prnewswire.com prnewswire.co.uk businesswire.com
  globenewswire.com accesswire.com newswire.com einpresswire.com prweb.com presseportal.de openpr.com openpr.de
  marketscreener.com ptinews.com xinhuanet.com kyodonews.net ansa.it efe.com
`);

/** Newspapers, magazines, broadcasters and trade publications. */
export const PUBLICATION_DOMAINS: readonly string[] = [
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

/** News agencies and publications. */
export const EDITORIAL_DOMAINS: readonly string[] = [...NEWS_AGENCY_DOMAINS, ...PUBLICATION_DOMAINS];
