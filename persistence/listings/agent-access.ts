/**
 * SQL condition: the agent in parameter `agent` (`$2`) owns the property with alias `property`, or is assigned to it
 * (docs/contract.md#permission). Every query for an agent has it in its WHERE. So another agent and an unknown id get
 * the same empty result of the same statement.
 */
export function mayAct(property: string, agent: string): string {
  return `(${property}."ownerAgentId" = ${agent}::uuid OR EXISTS (
    SELECT FROM property_agents pa WHERE pa."propertyId" = ${property}.id AND pa."agentId" = ${agent}::uuid))`;
}
