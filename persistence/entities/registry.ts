import { PlaceEntity } from './place.ts';
import { FavoriteEntity, PropertyAgentEntity, PropertyEntity, PropertyPriceEventEntity } from './property.ts';
import { PropertyImageEntity } from './property-image.ts';
import {
  AccountCodeEntity,
  AccountEntity,
  AgentStandingEntity,
  AvatarEntity,
  SessionEntity,
  UserEntity,
} from './user.ts';

/**
 * The tables that have an entity: people, listings, pictures as listed and described, favorites, price history and
 * places. A test compares them with the migrated schema, and the row types of raw SQL come from them (`RowOf`). Actors
 * and the services around them have other row types.
 * Statements are SQL: through MikroORM's EntityManager a call that reads one row takes a seventh longer.
 */
export const entities = [
  AccountEntity,
  AccountCodeEntity,
  AgentStandingEntity,
  AvatarEntity,
  PlaceEntity,
  FavoriteEntity,
  PropertyAgentEntity,
  PropertyImageEntity,
  PropertyEntity,
  PropertyPriceEventEntity,
  SessionEntity,
  UserEntity,
];
