// Stands for the browser's caches, in memory.
const bare = (url) => url.split("?")[0];

export function makeCaches(site) {
  const all = new Map();
  const urlOf = (asked) => new URL(asked.url ?? asked, site).href;
  const matching = (cache, asked, ignoreSearch) => [...cache.keys()]
    .filter((url) => (ignoreSearch ? bare(url) === bare(urlOf(asked)) : url === urlOf(asked)));
  const makeCache = () => {
    const kept = new Map();
    const cache = {
      kept, failure: undefined,
      match: async (asked, { ignoreSearch } = {}) => kept.get(matching(kept, asked, ignoreSearch)[0])?.clone(),
      keys: async () => [...kept.keys()].map((url) => ({ url })),
      delete: async (asked, { ignoreSearch } = {}) => matching(kept, asked, ignoreSearch).forEach((url) => kept.delete(url)),
      async put(asked, response) {
        if (cache.failure) throw cache.failure;
        kept.set(urlOf(asked), response);
      },
    };
    return cache;
  };
  return {
    all,
    keys: async () => [...all.keys()],
    delete: async (name) => all.delete(name),
    async open(name) {
      if (!all.has(name)) all.set(name, makeCache());
      return all.get(name);
    },
    async match(asked) {
      for (const cache of all.values()) {
        const found = await cache.match(asked);
        if (found) return found;
      }
      return undefined;
    },
  };
}
