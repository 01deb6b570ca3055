#include "lab/exhibits/accesses/accesses.hpp"

#include <algorithm>

#include "lab/exhibits/accesses/accesses_summary.hpp"
#include "lab/markup/json.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

constexpr std::size_t kSpokenArrays = 3;

/// What is said of one array. The sentence holds only what the wires show: of a cut trace nothing is said to be absent.
class ArraySpeech {
 public:
  ArraySpeech(const AccessesExhibit& accesses, const AccessesSummary& summary, std::size_t array,
              const Strings& strings)
      : accesses_(accesses),
        summary_(summary),
        array_(summary.arrays[array]),
        name_(accesses.arrays[array].tensor.name),
        strings_(strings) {}

  std::vector<std::string> written() const {
    std::vector<std::string> parts{who()};
    if (array_.repeated != 0) parts.push_back(repeated());
    if (!accesses_.cut && array_.stores != 0 && array_.unwritten != 0) parts.push_back(unwritten());
    if (array_.stray_stores != 0) {
      parts.push_back(
          stray("accesses.stray-writes", array_.stray_stores, *array_.first_stray_store));
    } else if (!accesses_.cut && array_.stores != 0) {
      parts.push_back(strings_("accesses.no-stray", {{"name", name_}}));
    }
    return parts;
  }

  std::vector<std::string> read() const {
    if (array_.loads == 0) return {};
    return {
        strings_("accesses.read", {{"threads", counted(strings_, "count.threads", array_.readers)},
                                   {"elements", counted(strings_, "count.elements", array_.read)},
                                   {"name", name_}})};
  }

  std::vector<std::string> stray_reads() const {
    if (array_.stray_loads == 0) return {};
    return {stray("accesses.stray-reads", array_.stray_loads, *array_.first_stray_load)};
  }

 private:
  std::string at(std::int64_t element) const { return name_ + "[" + std::to_string(element) + "]"; }

  std::string who() const {
    if (array_.stores == 0) {
      if (array_.elements == 0 && array_.stray_stores == 0)
        return strings_("accesses.empty", {{"name", name_}});
      return strings_("accesses.nobody-wrote", {{"name", name_}});
    }
    const std::string elements = counted(strings_, "count.elements", array_.written);
    if (array_.writers == 1) {
      return strings_("accesses.one-writer",
                      {{"thread", thread_name(strings_, array_.first_writer, summary_.block)},
                       {"elements", elements},
                       {"name", name_}});
    }
    const bool in_a_row = array_.last_writer - array_.first_writer + 1 == array_.writers;
    if (array_.one_each && in_a_row) {
      return strings_("accesses.one-each", {{"first", std::to_string(array_.first_writer)},
                                            {"last", std::to_string(array_.last_writer)},
                                            {"name", name_}}) +
             own_number();
    }
    return strings_("accesses.writers",
                    {{"threads", counted(strings_, "count.threads", array_.writers)},
                     {"elements", elements},
                     {"name", name_}});
  }

  /// Whether each thread wrote the element that has its own number, or who did not.
  std::string own_number() const {
    if (!array_.not_own) return strings_("accesses.own");
    return strings_("accesses.not-own", {{"thread", std::to_string(array_.not_own->thread)},
                                         {"element", at(array_.not_own->element)}});
  }

  std::string repeated() const {
    return strings_("accesses.repeated",
                    {{"count", grouped(array_.repeated)},
                     {"times", grouped(array_.most_times)},
                     {"element", at(static_cast<std::int64_t>(array_.most_repeated))}});
  }

  std::string unwritten() const {
    std::vector<std::string> elements;
    for (const std::uint64_t element : array_.first_unwritten)
      elements.push_back(at(static_cast<std::int64_t>(element)));
    const std::uint64_t more = array_.unwritten - array_.first_unwritten.size();
    if (more != 0) elements.push_back(counted(strings_, "list.more", more));
    return strings_("accesses.unwritten", {{"elements", joined(strings_, elements)}});
  }

  std::string stray(std::string_view key, std::uint64_t times, const Touch& first) const {
    return strings_(key, {{"count", grouped(times)},
                          {"name", name_},
                          {"element", at(first.element)},
                          {"thread", thread_name(strings_, first.thread, summary_.block)}});
  }

  const AccessesExhibit& accesses_;
  const AccessesSummary& summary_;
  const ArraySummary& array_;
  const std::string& name_;
  const Strings& strings_;
};

}  // namespace

std::string sentence_of(const AccessesExhibit& accesses, const Strings& strings) {
  if (accesses.wires.empty()) {
    return strings(accesses.stopped ? "accesses.nothing-before-stop"
                   : accesses.cut   ? "accesses.nothing-shown"
                                    : "accesses.nothing");
  }
  const AccessesSummary summary = summarise(accesses);
  std::vector<std::size_t> results;  // arrays that were, or should have been, written
  for (std::size_t a = 0; a < summary.arrays.size(); ++a) {
    const ArraySummary& array = summary.arrays[a];
    if (accesses.arrays[a].written || array.stores + array.stray_stores != 0) results.push_back(a);
  }

  std::vector<std::string> parts;
  const auto say = [&](const std::vector<std::string>& more) {
    parts.insert(parts.end(), more.begin(), more.end());
  };
  if (accesses.cut) {
    parts.push_back(counted(strings, accesses.stopped ? "accesses.stopped" : "accesses.cut",
                            accesses.wires.size()));
  }
  for (std::size_t i = 0; i < std::min(results.size(), kSpokenArrays); ++i) {
    say(ArraySpeech(accesses, summary, results[i], strings).written());
  }
  if (results.size() > kSpokenArrays) {
    parts.push_back(counted(strings, "accesses.more-arrays", results.size() - kSpokenArrays));
  }
  for (std::size_t a = 0; a < summary.arrays.size(); ++a) {
    const ArraySpeech speech(accesses, summary, a, strings);
    if (results.empty() && a < kSpokenArrays) say(speech.read());
    say(speech.stray_reads());
  }
  return sentences(strings, parts);
}

Table table_of(const AccessesExhibit& accesses, const Strings& strings) {
  Table table{{strings("table.block"), strings("table.thread"), strings("table.access"),
               strings("table.array"), "i", strings("table.line")},
              {}};
  for (const AccessesExhibit::Wire& wire : accesses.wires) {
    table.rows.push_back({std::to_string(wire.block), std::to_string(wire.thread),
                          std::string(device::name_of(wire.kind)),
                          accesses.arrays[wire.array].tensor.name, std::to_string(wire.element),
                          std::to_string(wire.line)});
  }
  return table;
}

/// What the kernel wrote, unless it has an exhibit of its own.
void compare(const AccessesExhibit& a, const AccessesExhibit& b, Comparer& comparer) {
  for (const AccessesExhibit::Array& array : b.arrays) {
    const std::string& name = array.tensor.name;
    if (!array.written || comparer.shows_tensor(name)) continue;
    const auto other = std::ranges::find_if(a.arrays, [&](const AccessesExhibit::Array& one) {
      return one.written && one.tensor.name == name;
    });
    if (other != a.arrays.end()) comparer.output(other->tensor, array.tensor);
  }
}

void extras(JsonExtras& json, const AccessesExhibit::Wire& wire, const AccessesExhibit& whole) {
  json("stray", [&] { return is_stray(whole, wire); });
}

bool valid(const AccessesExhibit& v) {
  if (v.grid.count() > AccessesExhibit::kMostThreads / std::max<std::uint64_t>(1, v.block.count()))
    return false;
  return std::ranges::all_of(v.wires, [&](const AccessesExhibit::Wire& wire) {
    return wire.array < v.arrays.size() && wire.thread < v.block.count();
  });
}

std::string_view style_of(std::type_identity<AccessesExhibit> /*kind*/) {
  return R"css(.wb-accesses .wb-table td { text-align: left; }
)css";
}

}  // namespace warpbook::lab
