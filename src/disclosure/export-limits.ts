/** Limits of `GET /api/disclosure/{propertyId}.zip`. An office has several agents behind one address. */
export const EXPORT_RULES = {
  perNetwork: { windowSeconds: 3_600, max: 200 },
  perPerson: { windowSeconds: 3_600, max: 30 },
};
