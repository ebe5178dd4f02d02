/**
 * SQL condition: the agent in parameter `agent` (`$2`) may work on the property with alias `property`: owns it or is assigned
 * to it (docs/contract.md#permission), and it is no listing of a feed, which changes with its record only. Every query for
 * an agent has it in its WHERE. So another agent and an unknown id get the same empty result of the same statement.
 */
export function mayAct(property: string, agent: string): string {
  return `(${property}."feedId" IS NULL AND ${answersFor(property, agent)})`;
}

/**
 * SQL condition: photos of the property are stored in this user's name: an agent who may work on it, or the user of its feed,
 * who is no person and in whose name the worker takes the feed's pictures.
 */
export function mayAddPhotos(property: string, user: string): string {
  return `(${property}."ownerAgentId" = ${user}::uuid OR ${mayAct(property, user)})`;
}

/** SQL condition: the agent gets the tours and questions of the property, which may be a listing of a feed. */
export function answersFor(property: string, agent: string): string {
  return `(${property}."ownerAgentId" = ${agent}::uuid OR EXISTS (
    SELECT FROM property_agents pa WHERE pa."propertyId" = ${property}.id AND pa."agentId" = ${agent}::uuid))`;
}

/** SQL: the ids of the properties for which `answersFor` holds, by index, where they are few among the rows that are read. */
export function listingsOf(agent: string): string {
  return `(SELECT id FROM properties WHERE "ownerAgentId" = ${agent}::uuid
    UNION SELECT "propertyId" FROM property_agents WHERE "agentId" = ${agent}::uuid)`;
}
