import { statement } from './statement.js';

/** The workspace's brand ids; no row: the workspace does not exist. */
export const workspaceBrandIds = statement<{ brandIds: string[] }, { workspaceId: string }>(
  'workspace_brand_ids',
  `select array(select b.id from brands b where b.workspace_id = w.id order by b.id) as "brandIds"
   from workspaces w where w.id = :workspaceId`,
);

/** Every workspace with its brands counted. */
export const listWorkspaces = statement<
  { id: string; name: string; plan: string; brands: number },
  Record<string, never>
>(
  'list_workspaces',
  `select w.id, w.name, w.plan, (select count(*) from brands b where b.workspace_id = w.id) as brands
   from workspaces w order by w.id`,
);
