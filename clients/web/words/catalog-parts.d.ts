/** The parts of catalogs that some pages say (word-parts.ts); made by the build. */
declare module '*.json?provenance' {
  const words: Readonly<Record<string, string>>;
  export default words;
}
declare module '*.json?listings' {
  const words: Readonly<Record<string, string>>;
  export default words;
}
declare module '*.json?details' {
  const words: Readonly<Record<string, string>>;
  export default words;
}
declare module '*.json?photos' {
  const words: Readonly<Record<string, string>>;
  export default words;
}
declare module '*.json?publish' {
  const words: Readonly<Record<string, string>>;
  export default words;
}
declare module '*.json?review' {
  const words: Readonly<Record<string, string>>;
  export default words;
}
declare module '*.json?figures' {
  const words: Readonly<Record<string, string>>;
  export default words;
}
declare module '*.json?preview' {
  const words: Readonly<Record<string, string>>;
  export default words;
}
declare module '*.json?webhooks' {
  const words: Readonly<Record<string, string>>;
  export default words;
}
declare module '*.json?home' {
  const words: Readonly<Record<string, string>>;
  export default words;
}
declare module '*.json?search' {
  const words: Readonly<Record<string, string>>;
  export default words;
}
declare module '*.json?inbox' {
  const words: Readonly<Record<string, string>>;
  export default words;
}
declare module '*.json?account' {
  const words: Readonly<Record<string, string>>;
  export default words;
}
declare module '*.json?saved' {
  const words: Readonly<Record<string, string>>;
  export default words;
}
declare module '*.json?searches' {
  const words: Readonly<Record<string, string>>;
  export default words;
}
declare module '*.json?uploads' {
  const words: Readonly<Record<string, string>>;
  export default words;
}
declare module '*.json?features' {
  const words: Readonly<Record<string, string>>;
  export default words;
}
declare module '*.json?tour' {
  const words: Readonly<Record<string, string>>;
  export default words;
}
