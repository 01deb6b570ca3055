// The dialect for which a module is written (.version and .target), and the features that each dialect has.
// Instructions are held to theirs by isa/instruction_table.hpp.
#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "device/simulator/ptx/parser.hpp"

namespace warpbook::device::ptx {
namespace {

/// The digits here as a number; the directive's own name is in `what`.
std::uint32_t read_digits(Scanner& scanner, std::string_view what) {
  const char* begin = scanner.text().data() + scanner.offset();
  std::uint32_t value = 0;
  const auto [end, error] =
      std::from_chars(begin, scanner.text().data() + scanner.text().size(), value);
  if (error != std::errc{}) {
    scanner.fail_expected(what_message(what));
    return 0;
  }
  scanner.take(static_cast<std::size_t>(end - begin));
  return value;
}

struct Target {
  std::uint32_t number;
  char suffix;          ///< \0: none
  std::uint32_t first;  ///< version of PTX, 800 for 8.0
};

/// The targets that ptxas 13.0 takes, and the first version of PTX that has each of them.
constexpr Target kTargets[] = {
    {30, 0, 300},    {32, 0, 400},    {35, 0, 301},    {37, 0, 401},    {50, 0, 400},
    {52, 0, 401},    {53, 0, 402},    {60, 0, 500},    {61, 0, 500},    {62, 0, 500},
    {70, 0, 600},    {72, 0, 601},    {75, 0, 603},    {80, 0, 700},    {86, 0, 701},
    {87, 0, 704},    {88, 0, 703},    {89, 0, 708},    {90, 0, 708},    {90, 'a', 800},
    {100, 0, 806},   {100, 'a', 806}, {100, 'f', 808}, {101, 0, 806},   {101, 'a', 806},
    {101, 'f', 808}, {103, 0, 808},   {103, 'a', 808}, {103, 'f', 808}, {110, 0, 900},
    {110, 'a', 900}, {110, 'f', 900}, {120, 0, 807},   {120, 'a', 807}, {120, 'f', 808},
    {121, 0, 808},   {121, 'a', 808}, {121, 'f', 808}};

/// The version of PTX that brought a target; 0 for one that is not known here.
std::uint32_t first_version_with(std::uint32_t number, char suffix) {
  for (const Target& target : kTargets) {
    if (target.number == number && target.suffix == suffix) return target.first;
  }
  return 0;
}

struct Feature {
  std::string_view name;
  std::uint32_t first, last;  ///< versions of PTX that have it: 708 is 7.8
  std::uint32_t target;       ///< the first one that has it; 0: every one
};

constexpr std::uint32_t kNow = ~0u;

/// As ptxas 13.0 has them.
constexpr Feature kFeatures[] = {
    {".maxntid", 103, kNow, 0},
    {".maxnreg", 103, kNow, 0},
    {".maxnctapersm", 103, 200, 0},
    {".minnctapersm", 200, kNow, 0},
    {".reqntid", 201, kNow, 0},
    {".reqnctapercluster", 708, kNow, 90},
    {".explicitcluster", 708, kNow, 90},
    {".maxclusterrank", 708, kNow, 90},
    {".blocksareclusters", 900, kNow, 90},
    {".noreturn", 604, kNow, 0},
    {".abi_preserve", 900, kNow, 80},
    {".abi_preserve_control", 900, kNow, 80},
    {".pragma", 200, kNow, 0},
    {".pragma \"used_bytes_mask\"", 803, kNow, 0},
    {".pragma \"enable_smem_spilling\"", 0, kNow, 75},
    {".pragma \"frequency\"", 900, kNow, 0},
    {".weak", 301, kNow, 0},
    {".common", 500, kNow, 0},
    {".alias", 603, kNow, 0},
    {".attribute", 400, kNow, 0},
    {".attribute(.unified)", 800, kNow, 90},
    {".ptr", 202, kNow, 0},
    {".tex", 0, 104, 0},
    {".section", 200, kNow, 0},
    {".branchtargets", 600, kNow, 0},
    {".calltargets", 201, kNow, 0},
    {".callprototype", 201, kNow, 0},
    {"type-b128", 803, kNow, 70},
    {"type-f16x2", 0, kNow, 53},
    {"opaque-types", 105, kNow, 0},
    {"numbered-constant-banks", 105, 201, 0},
    {"parameters-of-functions-in-param", 200, kNow, 0},
    {"more-than-4352-bytes-of-parameters-of-a-kernel", 801, kNow, 70},
    {"functions-as-initial-values", 201, kNow, 0},
    {"generic-in-initial-values", 301, kNow, 0},
    {"masks-in-initial-values", 701, kNow, 0},
    {"time-and-size-in-file", 302, kNow, 0},
    {"inlined-at-in-loc", 700, kNow, 0},
};

Message feature_message(std::string_view name) {
  if (name.starts_with('.')) return Message::plain(std::string(name));
  return {"phrase.ptx-feature." + std::string(name), {}, {}};
}

std::string version_text(std::uint32_t version) {
  return fmt::format("{}.{}", version / 100, version % 100);
}

bool is_option_of_target(std::string_view name) {
  constexpr std::string_view kOptions[] = {"texmode_unified", "texmode_independent", "debug",
                                           "map_f64_to_f32"};
  return std::ranges::find(kOptions, name) != std::end(kOptions);
}

}  // namespace

void Parser::version() {
  if (scanner_.peek() != '.' || scanner_.dotted() != "version") {
    scanner_.fail_at(0, syntax("version"));
    return;
  }
  module_.version_major = read_digits(scanner_, "the-version-s-number");
  scanner_.expect('.', "in-the-version-s-number");
  module_.version_minor = read_digits(scanner_, "the-version-s-second-number");
}

void Parser::target() {
  const std::uint32_t place = scanner_.offset();
  if (scanner_.failed() || scanner_.peek() != '.' || scanner_.dotted() != "target") {
    scanner_.fail_at(place, syntax("target"));
    return;
  }
  do {
    const std::uint32_t name_place = scanner_.offset();
    const std::string_view name = scanner_.expect_name("a-target-such-as-sm-90");
    if (!scanner_.failed() && !is_option_of_target(name)) architecture(name, name_place);
  } while (scanner_.accept(','));
  if (module_.target == 0) scanner_.fail_at(place, syntax("no-architecture"));
}

void Parser::architecture(std::string_view name, std::uint32_t place) {
  const std::size_t prefix = name.starts_with("sm_") ? 3 : name.starts_with("compute_") ? 8 : 0;
  std::uint32_t number = 0;
  const auto [end, error] =
      std::from_chars(name.data() + prefix, name.data() + name.size(), number);
  const auto left = static_cast<std::size_t>(name.data() + name.size() - end);
  if (prefix == 0 || error != std::errc{} || left > 1 ||
      (left == 1 && *end != 'a' && *end != 'f')) {
    scanner_.fail_at(place, syntax("unknown-target", {{"target", std::string(name)}}));
    return;
  }
  const std::uint32_t first = first_version_with(number, left == 1 ? *end : '\0');
  if (version_number() < first) {
    scanner_.fail_at(place, syntax("target-version", {{"version", version_text(version_number())},
                                                      {"target", std::string(name)},
                                                      {"first", version_text(first)}}));
  }
  module_.target = std::max(module_.target, number);
}

std::uint32_t Parser::version_number() const {
  return 100 * module_.version_major + module_.version_minor;
}

void Parser::needs(std::uint32_t place, std::string_view name) {
  const Feature* feature = std::ranges::find(kFeatures, name, &Feature::name);
  if (feature == std::end(kFeatures)) return;
  const std::uint32_t version = version_number();
  if (version < feature->first) {
    scanner_.fail_at(place, syntax("before-version", {{"version", version_text(version)},
                                                      {"feature", feature_message(name)},
                                                      {"first", version_text(feature->first)}}));
  } else if (version > feature->last) {
    scanner_.fail_at(place, syntax("after-version", {{"version", version_text(version)},
                                                     {"feature", feature_message(name)},
                                                     {"last", version_text(feature->last)}}));
  } else if (module_.target < feature->target) {
    scanner_.fail_at(place, syntax("before-target", {{"target", module_.target},
                                                     {"feature", feature_message(name)},
                                                     {"first", feature->target}}));
  }
}

void Parser::pragma(bool in_function) {
  const std::uint32_t place = scanner_.offset();
  needs(place, ".pragma");
  do {
    const std::uint32_t at = scanner_.offset();
    const std::string_view text = scanner_.quoted("a-string-after-pragma");
    const std::string_view word = text.substr(0, text.find(' '));
    const std::string name = fmt::format(".pragma \"{}\"", word);
    needs(at, name);
    const bool of_functions =
        word == "used_bytes_mask" || word == "enable_smem_spilling" || word == "frequency";
    if (of_functions && !in_function) {
      scanner_.fail_at(at, syntax("within-function", {{"directive", name}}));
    }
  } while (scanner_.accept(','));
  scanner_.expect(';', "after-pragma");
}

}  // namespace warpbook::device::ptx
