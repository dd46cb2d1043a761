import type { PromptRecord, TagGroupRecord } from '../records.js';
import { byCreation } from '../text-order.js';

export interface ExpectedTagGroup {
  id: string;
  name: string;
  color: string;
  tags: string[];
}

/** Groups in creation order; members that no active prompt carries are dropped, the rest stay as stored. */
export function expectedTagGroups(groups: TagGroupRecord[], active: PromptRecord[]): ExpectedTagGroup[] {
  const inUse = active.flatMap((prompt) => prompt.tags ?? []);
  return [...groups].sort(byCreation).map(({ id, name, color, tags }) => ({
    id,
    name,
    color,
    tags: tags.filter((tag) => inUse.includes(tag)),
  }));
}
