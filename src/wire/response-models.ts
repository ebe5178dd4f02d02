import type { z } from 'zod';
import { dataExport } from './data-export.ts';
import { drift } from './drift.ts';
import { procedureError, routeError, signInError, signInOutput } from './errors.ts';
import { imageOutput } from './images.ts';
import { agentCard } from './listings/agent-card.ts';
import { favoriteCard, favoriteOutput } from './listings/favorites.ts';
import { suggestLocationsOutput } from './listings/location-suggestions.ts';
import { message, messageThread } from './listings/messages.ts';
import { neighborhoodOutput } from './listings/neighborhood.ts';
import { openHouse, openHouseAhead } from './listings/open-houses.ts';
import { priceHistoryOutput } from './listings/price-history.ts';
import { ownProperty } from './listings/properties.ts';
import { propertyCard, publicImage } from './listings/property-card.ts';
import { propertyDetail } from './listings/property-detail.ts';
import { cardsOutput, filterCatalogOutput, searchMapOutput } from './listings/search.ts';
import { provenanceOutput } from './provenance.ts';
import { furnitureBrief, roomGroup } from './room-groups.ts';
import { approvalResult, stagedVariant } from './staged-variants.ts';
import { jobOutput, quotaUse, submissionResult } from './staging-jobs.ts';
import { getTourOutput, tourOutput } from './tours.ts';
import { meOutput } from './users.ts';

const detailImage = propertyDetail.shape.images.element;
const { figures } = neighborhoodOutput.shape;

/**
 * Names of the models for native clients (docs/contract.md#clients). Outputs of procedures need no line here: the
 * generator reads them from the router and derives missing names from the procedure and the place. Add a line for a
 * shape that is used in several places, or that apps refer to by name. A shape is recognized by the identity of its
 * schema object, not by its structure.
 */
export const NAMED_MODELS = {
  AgentCard: agentCard,
  DataExport: dataExport,
  FavoriteCard: favoriteCard,
  FavoriteState: favoriteOutput,
  FilterCatalog: filterCatalogOutput,
  FurnitureBrief: furnitureBrief,
  ImageDisclosure: detailImage.shape.disclosure.unwrap(),
  LocationSuggestion: suggestLocationsOutput.shape.groups.element.shape.items.element,
  MapCluster: searchMapOutput.shape.clusters.element,
  MapPin: searchMapOutput.shape.pins.element,
  Me: meOutput,
  Message: message,
  MessageThread: messageThread,
  Neighborhood: neighborhoodOutput,
  NeighborhoodFigure: figures.shape.medianSalePrice,
  OpenHouse: openHouse,
  OpenHouseAhead: openHouseAhead,
  OwnProperty: ownProperty,
  PriceEvent: priceHistoryOutput.shape.items.element,
  PropertyCard: propertyCard,
  PropertyCards: cardsOutput,
  PropertyDetail: propertyDetail,
  PropertyDetailImage: detailImage,
  Provenance: provenanceOutput,
  ProvenanceEvent: provenanceOutput.shape.events.element,
  PublicImage: publicImage,
  RoomGroup: roomGroup,
  StagedApproval: approvalResult,
  StagedDrift: drift,
  StagedDriftBox: drift.shape.boxes.element,
  StagedDriftFlag: drift.shape.flags.element,
  StagedVariant: stagedVariant,
  StagingJob: jobOutput,
  StagingQuotaUse: quotaUse,
  StagingSubmission: submissionResult,
  Tour: tourOutput,
  TourChange: tourOutput.shape.history.element,
  TourDetail: getTourOutput,
  TourPerson: tourOutput.shape.agent,
  TourSlot: tourOutput.shape.slots.element,
} as const satisfies Record<string, z.ZodType>;

/** The answers of plain routes, by model name; the errors of procedures are included. */
export const ROUTE_MODELS = {
  PropertyImage: imageOutput,
  ProcedureRefusal: procedureError,
  RouteRefusal: routeError,
  SignInAnswer: signInOutput,
  SignInRefusal: signInError,
} as const satisfies Record<string, z.ZodType>;
