import { domainList } from './domain-list.js';

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
