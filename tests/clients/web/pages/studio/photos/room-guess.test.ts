import { describe, expect, test } from 'vitest';
import { guessRoom } from '../../../../../../clients/web/pages/studio/photos/room-guess.ts';

describe('the room that a file name tells', () => {
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
  ])('%s is a %s', (name, room) => {
    expect(guessRoom(name)).toBe(room);
  });

  test.each([
    'IMG_1234.JPG',
    'DSC0001.jpg',
    'front.jpg',
    'garden_shed.jpg',
    'view from the bedroom.jpg',
    'embedded.jpg',
    '.jpg',
    '',
    '卧室.jpg',
    `${'a'.repeat(10_000)}.jpg`,
  ])('%.30s tells none', (name) => {
    expect(guessRoom(name)).toBeNull();
  });
});
