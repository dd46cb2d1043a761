import { domainList } from './domain-list.js';

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
