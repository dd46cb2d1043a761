import {
  DEMO_PROFILE,
  isDemoProfile,
  type Profile,
  type Profiles,
  profileNamed,
  sameOrigin,
} from './profiles.js';

/** The keys that earlier starts of the demo may have stored, the most likely first. */
export const rememberedKeys = ({ profiles }: Profiles): string[] =>
  Object.keys(profiles)
    .filter(isDemoProfile)
    .sort()
    .flatMap((name) => profiles[name]?.key ?? []);

/**
 * The name of the profile that stores the demo's key: `demo`, or with the next number if that profile is for another server.
 * @param mine The profile to be stored.
 */
export function demoProfileName(stored: Profiles, mine: Profile): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? DEMO_PROFILE : `${DEMO_PROFILE}-${number}`;
    const there = profileNamed(stored, name);
    if (!there || there.demo || there.key === mine.key || sameOrigin(there.url, mine.url)) return name;
  }
}
