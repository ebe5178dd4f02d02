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
