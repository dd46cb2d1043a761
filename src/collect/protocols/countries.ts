/** Countries as result pages name them: their places in Google's list, their languages. */

/** Numbers of ISO 3166-1. The place of a country in Google's list is 2000 and its number. */
const NUMBERS = `AE784 AL008 AM051 AO024 AR032 AT040 AU036 AZ031 BA070 BD050 BE056 BG100 BH048 BO068 BR076 BY112 CA124 CH756
  CL152 CM120 CO170 CR188 CY196 CZ203 DE276 DK208 DO214 DZ012 EC218 EE233 EG818 ES724 ET231 FI246 FR250 GB826 GE268 GH288
  GR300 GT320 HK344 HN340 HR191 HU348 ID360 IE372 IL376 IN356 IQ368 IS352 IT380 JM388 JO400 JP392 KE404 KG417 KH116 KR410
  KW414 KZ398 LB422 LK144 LT440 LU442 LV428 MA504 MD498 ME499 MK807 MM104 MN496 MT470 MX484 MY458 MZ508 NG566 NI558 NL528
  NO578 NP524 NZ554 OM512 PA591 PE604 PH608 PK586 PL616 PR630 PT620 PY600 QA634 RO642 RS688 SA682 SE752 SG702 SI705 SK703
  SN686 SV222 TH764 TN788 TR792 TT780 TW158 TZ834 UA804 UG800 US840 UY858 UZ860 VE862 VN704 YE887 ZA710 ZM894 ZW716`;

const places: ReadonlyMap<string, number> = new Map(
  NUMBERS.trim()
    .split(/\s+/)
    .map((entry) => [entry.slice(0, 2), 2000 + Number(entry.slice(2))]),
);

/** The countries of which the place is known, in upper case. */
export const countries: readonly string[] = [...places.keys()];

/** The place of a country in Google's list; undefined: it is not known. */
export const placeOf = (country: string): number | undefined => places.get(country.toUpperCase());

/** Where the language of searches is not the one that most people speak, or has a place in its name. */
const SEARCHED_IN: Readonly<Record<string, string>> = {
  ...{
    HK: 'zh-TW',
    TW: 'zh-TW',
    IN: 'en',
    KE: 'en',
    NG: 'en',
    NO: 'no',
    PH: 'en',
    PK: 'en',
    TZ: 'en',
    UG: 'en',
  },
  ...{ ZA: 'en' },
};

/** The language that most people of a country search in, as Google names it. */
export const languageOf = (country: string): string =>
  SEARCHED_IN[country] ?? new Intl.Locale(`und-${country}`).maximize().language;
