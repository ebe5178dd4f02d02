import { describe, expect, test } from 'vitest';
import { guessSubject } from '../../../../../clients/web/pages/studio/room-guess.ts';

describe('what a file name says that its photo shows', () => {
  test.each([
    ['12_Living-Room.jpg', 'LIVING_ROOM'],
    ['family room (3).jpeg', 'LIVING_ROOM'],
    ['LivingRoom2.jpg', 'LIVING_ROOM'],
    ['Sala.jpg', 'LIVING_ROOM'],
    ['Salón principal.png', 'LIVING_ROOM'],
    ['bedroom2.jpg', 'BEDROOM'],
    ['MASTER BEDROOM.JPG', 'BEDROOM'],
    ['Recámara 1.webp', 'BEDROOM'],
    ['Habitacio\u0301n.jpg', 'BEDROOM'],
    ['primary-bath.jpg', 'BATHROOM'],
    ['Baño de visitas.jpg', 'BATHROOM'],
    ['guestBathroom01.jpg', 'BATHROOM'],
    ['kitchen-2.jpg', 'KITCHEN'],
    ['003_cocina.avif', 'KITCHEN'],
    ['diningroom.jpg', 'DINING_ROOM'],
    ['Dining Room.jpg', 'DINING_ROOM'],
    ['comedor.jpg', 'DINING_ROOM'],
    ['home_office.jpg', 'OFFICE'],
    ['despacho.jpg', 'OFFICE'],
    ['TVRoom.jpg', 'TV_ROOM'],
    ['media-room.jpg', 'TV_ROOM'],
    ['Living room seen from the kitchen.jpg', 'LIVING_ROOM'],
    ['kitchen_toward_dining.jpg', 'KITCHEN'],
    ['Cocina y comedor.jpg', 'KITCHEN'],
    ['Sala vista desde la cocina.jpg', 'LIVING_ROOM'],
    ['master bathroom.jpg', 'BATHROOM'],
    ['Bathroom off the primary bedroom.jpg', 'BATHROOM'],
    ['sala de TV.jpg', 'TV_ROOM'],
    ['back bedroom.jpg', 'BEDROOM'],
    ['hall bath.jpg', 'BATHROOM'],
    ['vista de la sala.jpg', 'LIVING_ROOM'],
    ['living room fireplace.jpg', 'LIVING_ROOM'],
    ['guest room.jpg', 'BEDROOM'],
  ])('%s is a %s', (name, roomType) => {
    expect(guessSubject(name)).toEqual({ roomType, imageOf: null });
  });

  test.each([
    ['IMG_2031 front exterior.jpg', 'Front of Structure'],
    ['front.jpg', 'Front of Structure'],
    ['Fachada 2.jpg', 'Front of Structure'],
    ['Rear exterior.jpg', 'Back of Structure'],
    ['exterior back.jpg', 'Back of Structure'],
    ['vista lateral.jpg', 'Side of Structure'],
    ['drone_02.jpg', 'Aerial View'],
    ['Vista aérea.jpg', 'Aerial View'],
    ['front door.jpg', 'Entry'],
    ['recibidor.jpg', 'Entry'],
    ['Hallway2.jpg', 'Hallway'],
    ['escaleras.jpg', 'Stairs'],
    ['patio-from-kitchen.jpg', 'Patio'],
    ['terraza.jpg', 'Patio'],
    ['BackYard3.jpg', 'Yard'],
    ['front yard.jpg', 'Yard'],
    ['Jardín.jpg', 'Yard'],
    ['garden_shed.jpg', 'Out Buildings'],
    ['pool.jpg', 'Pool'],
    ['pool table.jpg', 'Game Room'],
    ['sala de juegos.jpg', 'Game Room'],
    ['view from the bedroom.jpg', 'View'],
    ['lake view.jpg', 'View'],
    ['master closet.jpg', 'Walk-In Closet(s)'],
    ['laundry.jpg', 'Laundry'],
    ['cochera.jpg', 'Garage'],
    ['Floor Plan 1.png', 'Floor Plan'],
    ['floorplan.jpg', 'Floor Plan'],
    ['plano.jpg', 'Floor Plan'],
  ])('%s shows %s', (name, imageOf) => {
    expect(guessSubject(name)).toEqual({ roomType: null, imageOf });
  });

  test.each([
    'IMG_1234.JPG',
    'DSC0001.jpg',
    'DJI_0123.JPG',
    'P1010001.JPG',
    'PXL_20260101_101010.jpg',
    'embedded.jpg',
    '.jpg',
    '',
    '卧室.jpg',
    `${'a'.repeat(10_000)}.jpg`,
  ])('%.30s tells none', (name) => {
    expect(guessSubject(name)).toEqual({ roomType: null, imageOf: null });
  });
});
