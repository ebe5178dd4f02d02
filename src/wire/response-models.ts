import type { z } from 'zod';
import { dataExport } from './data-export.ts';
import { procedureError, routeError, signInError, signInOutput } from './errors.ts';
import { imageOutput } from './images.ts';
import { agentCard } from './listings/agent-card.ts';
import { favoriteCard, favoriteOutput } from './listings/favorites.ts';
import { suggestLocationsOutput } from './listings/location-suggestions.ts';
import { neighborhoodOutput } from './listings/neighborhood.ts';
import { priceHistoryOutput } from './listings/price-history.ts';
import { ownProperty } from './listings/properties.ts';
import { propertyCard, publicImage } from './listings/property-card.ts';
import { propertyDetail } from './listings/property-detail.ts';
import { cardsOutput, filterCatalogOutput, searchMapOutput } from './listings/search.ts';
import { stagedVariant } from './staged-variants.ts';
import { jobOutput, quotaUse, submissionResult } from './staging-jobs.ts';
import { getTourOutput, tourOutput } from './tours.ts';
import { meOutput } from './users.ts';

const detailImage = propertyDetail.shape.images.element;
const { figures } = neighborhoodOutput.shape;

/**
 * Names of the models that native clients are given (docs/contract.md#clients). Outputs of procedures need no line
 * here: the generator reads them from the router, and names what has no name after its procedure and place. A line
 * belongs here for a shape that several places share, or that apps speak of. A shape is recognised by being the
 * same schema object, not by looking alike.
 */
export const NAMED_MODELS = {
  AgentCard: agentCard,
  DataExport: dataExport,
  FavoriteCard: favoriteCard,
  FavoriteState: favoriteOutput,
  FilterCatalog: filterCatalogOutput,
  ImageDisclosure: detailImage.shape.disclosure.unwrap(),
  LocationSuggestion: suggestLocationsOutput.shape.groups.element.shape.items.element,
  MapCluster: searchMapOutput.shape.clusters.element,
  MapPin: searchMapOutput.shape.pins.element,
  Me: meOutput,
  Neighborhood: neighborhoodOutput,
  NeighborhoodFigure: figures.shape.medianSalePrice,
  OwnProperty: ownProperty,
  PriceEvent: priceHistoryOutput.shape.items.element,
  PropertyCard: propertyCard,
  PropertyCards: cardsOutput,
  PropertyDetail: propertyDetail,
  PropertyDetailImage: detailImage,
  PublicImage: publicImage,
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

/** What plain routes answer, by model name; procedures' own errors are among them. */
export const ROUTE_MODELS = {
  PropertyImage: imageOutput,
  ProcedureRefusal: procedureError,
  RouteRefusal: routeError,
  SignInAnswer: signInOutput,
  SignInRefusal: signInError,
} as const satisfies Record<string, z.ZodType>;
