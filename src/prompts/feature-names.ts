import type { DescriptionLocale } from '../../machines/vocabulary.ts';
import type { FeatureKey } from '../wire/listings/feature-keys.ts';

/** The name of each amenity in a text, in English and Spanish. Facts only: no praise and no guesses. */
const NAMES: Record<FeatureKey, readonly [en: string, es: string]> = {
  OPEN_FLOORPLAN: ['open floor plan', 'distribución diáfana'],
  HIGH_CEILINGS: ['high ceilings', 'techos altos'],
  FIREPLACE: ['fireplace', 'chimenea'],
  HARDWOOD_FLOORS: ['hardwood floors', 'suelos de madera'],
  WALK_IN_CLOSET: ['walk-in closet', 'vestidor'],
  BUILT_IN_STORAGE: ['built-in storage', 'armarios empotrados'],
  SKYLIGHTS: ['skylights', 'claraboyas'],
  FURNISHED: ['furnished', 'amueblada'],
  EAT_IN_KITCHEN: ['eat-in kitchen', 'cocina con comedor'],
  KITCHEN_ISLAND: ['kitchen island', 'isla de cocina'],
  PANTRY: ['pantry', 'despensa'],
  STONE_COUNTERTOPS: ['stone countertops', 'encimeras de piedra'],
  STAINLESS_APPLIANCES: ['stainless steel appliances', 'electrodomésticos de acero inoxidable'],
  DISHWASHER: ['dishwasher', 'lavavajillas'],
  GAS_COOKTOP: ['gas cooktop', 'placa de gas'],
  ENSUITE_BATHROOM: ['ensuite bathroom', 'baño en suite'],
  DOUBLE_VANITY: ['double vanity', 'lavabo doble'],
  SOAKING_TUB: ['soaking tub', 'bañera exenta'],
  IN_UNIT_LAUNDRY: ['in-unit laundry', 'lavadora en la vivienda'],
  LAUNDRY_ROOM: ['laundry room', 'lavadero'],
  CENTRAL_AIR: ['central air conditioning', 'aire acondicionado central'],
  CENTRAL_HEATING: ['central heating', 'calefacción central'],
  HEAT_PUMP: ['heat pump', 'bomba de calor'],
  UNDERFLOOR_HEATING: ['underfloor heating', 'suelo radiante'],
  CEILING_FANS: ['ceiling fans', 'ventiladores de techo'],
  SOLAR_PANELS: ['solar panels', 'paneles solares'],
  DOUBLE_GLAZING: ['double-glazed windows', 'ventanas de doble acristalamiento'],
  ENERGY_EFFICIENT_APPLIANCES: ['energy-efficient appliances', 'electrodomésticos eficientes'],
  SMART_HOME: ['smart home system', 'domótica'],
  HIGH_SPEED_INTERNET: ['high-speed internet', 'internet de alta velocidad'],
  BACKUP_GENERATOR: ['backup generator', 'generador de reserva'],
  BALCONY: ['balcony', 'balcón'],
  TERRACE: ['terrace', 'terraza'],
  PATIO: ['patio', 'patio'],
  DECK: ['deck', 'plataforma exterior de madera'],
  GARDEN: ['garden', 'jardín'],
  FENCED_YARD: ['fenced yard', 'patio vallado'],
  PRIVATE_POOL: ['private pool', 'piscina privada'],
  HOT_TUB: ['hot tub', 'jacuzzi'],
  WATERFRONT: ['waterfront', 'primera línea de agua'],
  WATER_VIEW: ['water view', 'vistas al agua'],
  MOUNTAIN_VIEW: ['mountain view', 'vistas a la montaña'],
  CITY_VIEW: ['city view', 'vistas a la ciudad'],
  GARAGE: ['garage', 'garaje'],
  COVERED_PARKING: ['covered parking', 'aparcamiento cubierto'],
  ASSIGNED_PARKING: ['assigned parking', 'plaza de aparcamiento asignada'],
  EV_CHARGER: ['electric vehicle charger', 'cargador de vehículo eléctrico'],
  STORAGE_ROOM: ['storage room', 'trastero'],
  ELEVATOR: ['elevator', 'ascensor'],
  CONCIERGE: ['concierge', 'conserjería'],
  GYM: ['gym', 'gimnasio'],
  SHARED_POOL: ['shared pool', 'piscina comunitaria'],
  PETS_ALLOWED: ['pets allowed', 'se admiten mascotas'],
  SECURITY_SYSTEM: ['security system', 'sistema de alarma'],
  GATED_COMMUNITY: ['gated community', 'urbanización cerrada'],
  STEP_FREE_ENTRANCE: ['step-free entrance', 'entrada sin escalones'],
  WHEELCHAIR_ACCESSIBLE: ['wheelchair accessible', 'accesible en silla de ruedas'],
};

/** The names of the known keys, in order; unknown keys are left out. */
export function featureNames(keys: readonly string[], locale: DescriptionLocale): string[] {
  return keys.flatMap((key) => {
    const names = Object.hasOwn(NAMES, key) ? NAMES[key as FeatureKey] : undefined;
    return names === undefined ? [] : [names[locale === 'en' ? 0 : 1]];
  });
}
