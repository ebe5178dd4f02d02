import type { FeedSite, Resource } from '../fields.ts';
import { mediaResource } from './media.ts';
import { entityEventResource, lookupResource } from './other.ts';
import { memberResource, officeResource, openHouseResource } from './people.ts';
import { propertyResource } from './property.ts';

/** The resources of the feed by name, in the order of the service document. */
export function resourcesOf(site: FeedSite): ReadonlyMap<string, Resource> {
  const all = [
    propertyResource(site),
    mediaResource(site),
    memberResource(site),
    officeResource(site),
    openHouseResource(site),
    lookupResource(),
    entityEventResource(site),
  ];
  return new Map(all.map((resource) => [resource.name, resource]));
}
