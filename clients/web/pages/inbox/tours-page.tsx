/** My Tours is the same list as the inbox, under the address that the apps' links have. */
export { Component } from './inbox-page.tsx';
