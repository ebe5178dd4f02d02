/** My Tours is the inbox, under the address that the apps' links have. */
export { Component } from './inbox-page.tsx';
