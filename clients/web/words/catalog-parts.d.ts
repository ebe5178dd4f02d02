/** The part of a catalog that one page says; made by the build. */
declare module '*.json?provenance' {
  const words: Readonly<Record<string, string>>;
  export default words;
}
