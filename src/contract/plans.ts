/** Plan tiers in rising order. */
export const plans = ['trial', 'starter', 'growth', 'enterprise'] as const;
export type Plan = (typeof plans)[number];

/** The display name of a plan: `Growth`. */
export const planLabel = (plan: Plan): string => plan.charAt(0).toUpperCase() + plan.slice(1);

/** Whether the plan is the minimum or a higher one. */
export const planAtLeast = (plan: Plan, minimum: Plan): boolean =>
  plans.indexOf(plan) >= plans.indexOf(minimum);
