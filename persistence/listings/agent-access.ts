/**
 * SQL condition: the agent in parameter `agent` (`$2`) owns the property with alias `property`, or is assigned to it
 * (docs/contract.md#permission). Every query for an agent has it in its WHERE. So another agent and an unknown id get
 * the same empty result of the same statement.
 */
export function mayAct(property: string, agent: string): string {
  return `(${property}."ownerAgentId" = ${agent}::uuid OR EXISTS (
    SELECT FROM property_agents pa WHERE pa."propertyId" = ${property}.id AND pa."agentId" = ${agent}::uuid))`;
}

/** SQL: the ids of the properties for which `mayAct` holds, by index, where they are few among the rows that are read. */
export function listingsOf(agent: string): string {
  return `(SELECT id FROM properties WHERE "ownerAgentId" = ${agent}::uuid
    UNION SELECT "propertyId" FROM property_agents WHERE "agentId" = ${agent}::uuid)`;
}
