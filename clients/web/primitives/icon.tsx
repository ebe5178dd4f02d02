/** Icons drawn on a grid of 24 by 24, in the color of the text. They say nothing alone: a name is next to them. */
const PATHS = {
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14Zm5.2 12.2L20.5 20.5',
  home: 'M4 11.2 12 4.5l8 6.7M6 10v9.5h4.5v-5.5h3v5.5H18V10',
  heart: 'M12 19.6C5.6 15.2 3.6 12 3.6 9a4.6 4.6 0 0 1 8.4-2.6A4.6 4.6 0 0 1 20.4 9c0 3-2 6.2-8.4 10.6Z',
  inbox: 'M4 13.5 6.2 5.5h11.6l2.2 8v5H4v-5Zm0 0h5a3 3 0 0 0 6 0h5',
  menu: 'M4.5 7h15M4.5 12h15M4.5 17h15',
  photos: 'M4 6.5h12.5v11H4zM4 15l4-3.5 3.5 3 2-1.5 3 2.5M19.5 8.5V20H7.5',
  close: 'M6 6l12 12M18 6 6 18',
  filter: 'M4 7h16M7 12h10M10 17h4',
  map: 'M9 4.5 3.5 6.8v12.7L9 17.2l6 2.3 5.5-2.3V4.5L15 6.8 9 4.5Zm0 0v12.7m6-10.4v12.7',
  list: 'M8 7h12M8 12h12M8 17h12M4 7h.01M4 12h.01M4 17h.01',
  share: 'M12 15V4m0 0L8 8m4-4 4 4M5 13v6.5h14V13',
  back: 'M14.5 5.5 8 12l6.5 6.5',
  next: 'M9.5 5.5 16 12l-6.5 6.5',
  calendar: 'M5 6.5h14v13H5zM5 10.5h14M9 4v4m6-4v4',
  print: 'M7 9V4.5h10V9M7 16.5H4.5V9h15v7.5H17M7 13.5h10v6H7Z',
  pin: 'M12 20.5s6.5-5.6 6.5-10.5a6.5 6.5 0 0 0-13 0C5.5 14.9 12 20.5 12 20.5Zm0-8a2.4 2.4 0 1 0 0-4.8 2.4 2.4 0 0 0 0 4.8Z',
  expand: 'M9 4.5H4.5V9M15 4.5h4.5V9M9 19.5H4.5V15m10.5 4.5h4.5V15',
  compare: 'M12 4v16M8.5 8.5 5 12l3.5 3.5m7-7L19 12l-3.5 3.5',
  more: 'M6 12h.01M12 12h.01M18 12h.01',
  hidden:
    'M4 4l16 16M9.9 5.700A9.500 9.500 0 0 1 12 5.500c5 0 8 4.500 8.500 6.500-.2.900-1.100 2.500-2.600 3.900M6.400 7.600C4.600 8.900 3.700 10.900 3.500 12c.5 2 3.500 6.500 8.500 6.500 1.500 0 2.900-.4 4-1M10.300 10.300a2.500 2.500 0 0 0 3.500 3.500',
  shown:
    'M3.500 12c.5-2 3.500-6.500 8.500-6.500s8 4.500 8.500 6.500c-.5 2-3.500 6.500-8.500 6.500S4 14 3.500 12Zm8.500 2.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5Z',
  chosen: 'M5.500 5.500h13v13h-13zM8.500 12l2.500 2.500 4.500-5',
  choosable: 'M5.500 5.500h13v13h-13z',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm-7.5 8.5c.8-4 3.8-5.5 7.5-5.5s6.700 1.500 7.500 5.500',
  bell: 'M5.500 17h13l-1.500-2.500V10.500a5 5 0 0 0-10 0v4L5.500 17Zm4.500 3h4',
  draw: 'M5 19.5l.8-3.8L16.5 5l2.5 2.5L8.3 18.7 5 19.5Zm9.5-12.5 2.5 2.5',
} as const;

export type IconName = keyof typeof PATHS;
export const ICONS = Object.keys(PATHS) as IconName[];

export function Icon({ name, filled = false }: { readonly name: IconName; readonly filled?: boolean }) {
  return (
    <svg
      className={filled ? 'icon icon-filled' : 'icon'}
      viewBox="0 0 24 24"
      width="24"
      height="24"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
