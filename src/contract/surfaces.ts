/** How an answer was collected: an API is not the product that people see, so answers of each are told apart. */

/** `api`: the vendor's API. `ui`: the product as people use it. `serp`: the result page of a search engine. */
export const surfaces = ['api', 'ui', 'serp'] as const;

export type Surface = (typeof surfaces)[number];
