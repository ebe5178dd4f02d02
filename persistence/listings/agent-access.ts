/**
 * SQL condition: the agent in parameter `agent` (`$2`) owns the property with alias `property`, or is assigned to it
 * (docs/contract.md#permission). Every query for an agent has it in its WHERE. So another agent and an unknown id get
 * the same empty result of the same statement.
 */
export function mayAct(property: string, agent: string): string {
  return `(${property}."ownerAgentId" = ${agent}::uuid OR EXISTS (
    SELECT FROM property_agents pa WHERE pa."propertyId" = ${property}.id AND pa."agentId" = ${agent}::uuid))`;
}

/**
 * SQL: the agent who answers for the property with this alias: its owner, and for a feed's listing one of the agents here
 * whom triggers keep assigned to it (0171), in the order of the feed's contacts. Null when a feed's listing has none.
 */
export const answeringAgent = (property: string): string => `(CASE WHEN ${property}."feedId" IS NULL
  THEN ${property}."ownerAgentId" ELSE (
    SELECT pa."agentId" FROM property_agents pa JOIN feeds f ON f.id = ${property}."feedId"
      JOIN "user" answering ON answering.id = pa."agentId" AND answering."suspendedAt" IS NULL
    WHERE pa."propertyId" = ${property}.id
    ORDER BY array_position(f."contactAgents", pa."agentId") NULLS FIRST, pa."agentId" LIMIT 1) END)`;

/** SQL: the ids of the properties for which `mayAct` holds, by index, where they are few among the rows that are read. */
export function listingsOf(agent: string): string {
  return `(SELECT id FROM properties WHERE "ownerAgentId" = ${agent}::uuid
    UNION SELECT "propertyId" FROM property_agents WHERE "agentId" = ${agent}::uuid)`;
}
