#include "lab/exhibits/product/product_summary.hpp"

#include <algorithm>
#include <array>

#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

using Thread = ProductExhibit::Thread;
using Elements = std::vector<std::uint32_t> Thread::*;

FactorCounts counts(const ProductExhibit& product, std::uint64_t elements, Elements used,
                    Elements loaded) {
  FactorCounts made;
  made.users.resize(elements);
  made.loads.resize(elements);
  for (const Thread& thread : product.threads) {
    for (const std::uint32_t element : thread.*used) ++made.users[element];
    for (const std::uint32_t element : thread.*loaded) ++made.loads[element];
  }
  return made;
}

/// "16 threads", or "4 to 8 threads" where the elements differ.
std::string range_text(const char* key, const char* between, const std::vector<std::uint32_t>& of,
                       const std::vector<std::uint32_t>& elements, const Strings& strings) {
  std::uint32_t least = ~0u, most = 0;
  for (const std::uint32_t element : elements) {
    least = std::min(least, of[element]);
    most = std::max(most, of[element]);
  }
  if (least == most) return counted(strings, key, most);
  return strings(between, {{"least", grouped(least)}, {"most", grouped(most)}});
}

/// Elements of a, or of b, that the thread's results are sums over, ascending.
std::vector<std::uint32_t> needed_of_a(const ProductExhibit& product, const Thread& thread) {
  std::vector<std::uint32_t> needed;
  for (std::uint32_t element = 0; element < product.rows * product.depth; ++element) {
    const std::uint32_t row = element / product.depth;
    if (std::ranges::any_of(thread.results,
                            [&](std::uint32_t result) { return result / product.columns == row; }))
      needed.push_back(element);
  }
  return needed;
}

std::vector<std::uint32_t> needed_of_b(const ProductExhibit& product, const Thread& thread) {
  std::vector<std::uint32_t> needed;
  for (std::uint32_t element = 0; element < product.depth * product.columns; ++element) {
    const std::uint32_t column = element % product.columns;
    if (std::ranges::any_of(thread.results, [&](std::uint32_t result) {
          return result % product.columns == column;
        }))
      needed.push_back(element);
  }
  return needed;
}

/// A factor of which the thread has only a part of what its results need: lanes compute together, as on tensor cores.
std::string held_text(const char* name, const FactorCounts& counts,
                      const std::vector<std::uint32_t>& held,
                      const std::vector<std::uint32_t>& needed, const Strings& strings) {
  return strings("product.holds", {{"needed", counted(strings, "product.elements", needed.size())},
                                   {"name", name},
                                   {"held", grouped(held.size())},
                                   {"loads", range_text("product.loads", "product.loads-between",
                                                        counts.loads, held, strings)}});
}

std::string factor_text(const char* name, const FactorCounts& counts,
                        const std::vector<std::uint32_t>& used, const Strings& strings) {
  return strings("product.uses",
                 {{"elements", counted(strings, "product.elements", used.size())},
                  {"name", name},
                  {"threads", range_text("product.threads", "product.threads-between", counts.users,
                                         used, strings)},
                  {"loads", range_text("product.loads", "product.loads-between", counts.loads, used,
                                       strings)}});
}

}  // namespace

FactorCounts counts_of_a(const ProductExhibit& product) {
  return counts(product, std::uint64_t{product.rows} * product.depth, &Thread::a,
                &Thread::loaded_a);
}

FactorCounts counts_of_b(const ProductExhibit& product) {
  return counts(product, std::uint64_t{product.depth} * product.columns, &Thread::b,
                &Thread::loaded_b);
}

std::vector<std::uint32_t> owners_of(const ProductExhibit& product) {
  std::vector<std::uint32_t> owners(std::size_t{product.rows} * product.columns, kNoThread);
  for (const Thread& thread : product.threads) {
    for (const std::uint32_t element : thread.results) owners[element] = thread.thread;
  }
  return owners;
}

const Thread* find_thread(const ProductExhibit& product, std::uint32_t thread) {
  const auto found = std::ranges::lower_bound(product.threads, thread, {}, &Thread::thread);
  return found == product.threads.end() || found->thread != thread ? nullptr : &*found;
}

std::string thread_text(const ProductExhibit& product, std::uint32_t thread,
                        const Strings& strings) {
  const MessageArguments who{{"thread", grouped(thread)}, {"block", grouped(product.block)}};
  const Thread* one = find_thread(product, thread);
  if (!one) return strings("product.idle", who);
  MessageArguments computes = who;
  computes.emplace_back("results", counted(strings, "product.elements", one->results.size()));
  std::vector<std::string> parts{strings("product.computes", computes)};
  const auto factor = [&](const char* name, const FactorCounts& counts,
                          const std::vector<std::uint32_t>& used,
                          const std::vector<std::uint32_t>& needed) {
    if (used.empty()) return;
    parts.push_back(product.cut || std::ranges::includes(used, needed)
                        ? factor_text(name, counts, used, strings)
                        : held_text(name, counts, used, needed, strings));
  };
  factor("a", counts_of_a(product), one->a, needed_of_a(product, *one));
  factor("b", counts_of_b(product), one->b, needed_of_b(product, *one));
  if (one->a.empty() && one->b.empty()) parts.push_back(strings("product.unseen"));
  return sentences(strings, parts);
}

}  // namespace warpbook::lab
