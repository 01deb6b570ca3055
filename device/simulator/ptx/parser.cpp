// The module: its head, functions, and what is settled when all of it is known.
#include "device/simulator/ptx/parser.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace warpbook::device::ptx {
namespace {

/// The digits here as a number; the directive's own name is in `what`.
std::uint32_t read_digits(Scanner& scanner, std::string_view what) {
  const char* begin = scanner.text().data() + scanner.offset();
  std::uint32_t value = 0;
  const auto [end, error] =
      std::from_chars(begin, scanner.text().data() + scanner.text().size(), value);
  if (error != std::errc{}) {
    scanner.fail_expected(what);
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

/// As ptxas 13.0 takes them; what is older came with versions that nobody writes.
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

}  // namespace

Parser::Parser(Module& module, std::string_view file_name)
    : module_(module),
      scanner_(*module.text, file_name),
      ranges_by_depth_(1, 0),
      pending_marks_(1, 0) {
  constexpr std::uint64_t kAtLeast = std::uint64_t{1} << 20;
  initial_budget_ = kAtLeast + 64 * std::uint64_t{module.text->size()};
}

bool Parser::run() {
  version();
  target();
  while (!scanner_.at_end()) {
    statement_of_module();
  }
  if (!scanner_.failed()) {
    finish();
  }
  return !scanner_.failed();
}

Error Parser::error() const {
  Error error = scanner_.error();
  if (location_ != kNone) {
    const Location& place = module_.locations[location_];
    const std::string& file = module_.files[place.file];
    error.arguments.front().second +=
        file.empty() ? fmt::format(" (made of line {} of the source)", place.line)
                     : fmt::format(" (made of line {} of {})", place.line, file);
  }
  return error;
}

void Parser::version() {
  if (scanner_.peek() != '.' || scanner_.dotted() != "version") {
    scanner_.fail_at(0, "expected .version at the beginning of the module");
    return;
  }
  module_.version_major = read_digits(scanner_, "the version's number");
  scanner_.expect('.', "in the version's number");
  module_.version_minor = read_digits(scanner_, "the version's second number");
}

void Parser::needs_version(std::uint32_t place, std::uint32_t first, std::string_view what) {
  if (100 * module_.version_major + module_.version_minor >= first) return;
  scanner_.fail_at(place,
                   fmt::format("PTX {}.{} has no {}, which came with {}.{}", module_.version_major,
                               module_.version_minor, what, first / 100, first % 100));
}

void Parser::target() {
  const std::uint32_t place = scanner_.offset();
  if (scanner_.failed() || scanner_.peek() != '.' || scanner_.dotted() != "target") {
    scanner_.fail_at(place, "expected .target after .version");
    return;
  }
  do {
    const std::uint32_t name_place = scanner_.offset();
    const std::string_view name = scanner_.expect_name("a target such as sm_90");
    for (const std::string_view prefix : {"sm_", "compute_"}) {
      if (!name.starts_with(prefix)) {
        continue;
      }
      std::uint32_t number = 0;
      const auto [end, error] =
          std::from_chars(name.data() + prefix.size(), name.data() + name.size(), number);
      const auto left = static_cast<std::size_t>(name.data() + name.size() - end);
      if (error != std::errc{} || left > 1 || (left == 1 && *end != 'a' && *end != 'f')) {
        scanner_.fail_at(name_place, fmt::format("there is no target {}", name));
      }
      const std::uint32_t first = first_version_with(number, left == 1 ? *end : '\0');
      needs_version(name_place, first, fmt::format("target {}", name));
      module_.target = std::max(module_.target, number);
    }
  } while (scanner_.accept(','));
}

void Parser::statement_of_module() {
  if (scanner_.accept(';')) {
    return;
  }
  if (scanner_.peek() != '.') {
    scanner_.fail_expected("a directive");
    return;
  }
  Linkage linkage;
  for (;;) {
    const Scanner::Mark before = scanner_.mark();
    const std::uint32_t place = scanner_.offset();
    const std::string_view text = scanner_.peek() == '.' ? scanner_.dotted() : std::string_view();
    const Word word = find_word(text);
    StateSpace space{};
    switch (word) {
      case Word::extern_:
      case Word::visible:
      case Word::weak:
      case Word::common: linkage_word(word, linkage); continue;
      case Word::entry:
      case Word::func: return function(linkage, word == Word::entry);
      case Word::file: return file();
      case Word::loc: return location();
      case Word::section: return section();
      case Word::pragma: return pragma();
      case Word::alias: return alias();
      case Word::target: scanner_.rewind(before); return target();
      case Word::address_size:
        if (read_count(scanner_, ".address_size", 64) != 64) {
          scanner_.fail_at(place,
                           "only .address_size 64 is taken, as by CUDA since kernels of 32 bits "
                           "went; make the PTX anew from its source");
        }
        return;
      case Word::reg:
      case Word::local:
        if (module_.version_major >= 3) break;
        return private_of_module(word == Word::reg ? StateSpace::reg : StateSpace::local);
      default: break;
    }
    if (state_space_of(word, space) && space != StateSpace::reg && space != StateSpace::param) {
      return declare_all(declaration(space, linkage), false);
    }
    if (word == Word::tex) {
      Declaration textures = declaration(StateSpace::global, linkage);
      textures.type = Type::texref;
      return declare_all(textures, false);
    }
    scanner_.fail_at(
        place, text.empty()
                   ? std::string("expected a directive")
                   : fmt::format("there is no directive .{} at the level of the module", text));
    return;
  }
}

void Parser::linkage_word(Word word, Linkage& linkage) {
  linkage.external |= word == Word::extern_;
  linkage.visible |= word == Word::visible;
  linkage.weak |= word == Word::weak || word == Word::common;
}

void Parser::pragma() {
  do {
    scanner_.quoted("a string after .pragma");
  } while (scanner_.accept(','));
  scanner_.expect(';', "after .pragma");
}

void Parser::alias() {
  const std::string_view name = scanner_.expect_name("the alias");
  scanner_.expect(',', "after the alias");
  const std::string_view target = scanner_.expect_name("the function that the alias stands for");
  scanner_.expect(';', "after .alias");
  aliases_.push_back({name, target});
}

/// Before PTX 3.0, registers and local variables could be declared for all functions (PTX ISA 9.0, 7.1). Here each kernel
/// has its own; a function that is called would share them with its caller, and does not know them.
void Parser::private_of_module(StateSpace space) {
  module_private_.emplace_back(space, scanner_.mark());
  while (!scanner_.at_end() && scanner_.peek() != ';') {
    scanner_.skip_token();
  }
  scanner_.expect(';', "after the declaration");
}

void Parser::declare_private_of_module() {
  const Scanner::Mark here = scanner_.mark();
  for (const auto& [space, declared] : module_private_) {
    scanner_.rewind(declared);
    declare_all(declaration(space, {}), true);
  }
  scanner_.rewind(here);
}

void Parser::function(Linkage linkage, bool entry) {
  function_ = Function{};
  function_.entry = entry;
  function_.visible = linkage.visible;
  function_.weak = linkage.weak;
  function_.ptx_line = scanner_.line();
  location_ = kNone;
  function_directives(function_);
  if (!entry && scanner_.peek() == '(') {
    function_.returns = parameters();
  }
  const std::uint32_t place = scanner_.offset();
  function_.name = scanner_.expect_name("the name of the function");
  if (scanner_.failed()) {
    return;
  }
  const std::uint32_t index = name_function(function_.name);
  if (scanner_.peek() == '(') {
    function_.parameters = parameters();
  }
  function_directives(function_);
  // A prototype may go without a semicolon: another directive follows.
  function_.external = scanner_.accept(';') || (!entry && scanner_.peek() != '{');
  if (!function_.external) {
    scanner_.expect('{', fmt::format("or ';' after the head of {}", function_.name));
    open_scope();
    if (entry) {
      declare_private_of_module();
    }
    bind_parameters(function_.returns, kResult);
    bind_parameters(function_.parameters, kParameter);
    body();
    close_scope();
  }
  if (scanner_.failed()) {
    return;
  }
  location_ = kNone;
  Function& known = module_.functions[index];
  const bool first = known.name.empty();
  if (!first && !known.external && !function_.external) {
    scanner_.fail_at(place, fmt::format("{} is defined twice", function_.name));
    return;
  }
  if (first || known.external) {
    function_.visible |= known.visible;
    function_.weak |= known.weak;
    function_.noreturn |= known.noreturn;
    known = std::move(function_);
  }
}

std::uint32_t Parser::name_function(std::string_view name) {
  const auto next = static_cast<std::uint32_t>(module_.functions.size());
  const auto [entry, added] = module_.function_by_name.try_emplace(name, next);
  if (added) {
    module_.functions.emplace_back();
    if (!names_.declare(name, kFunction, next)) {
      scanner_.fail_at(place_of(name), fmt::format("{} is already the name of a variable", name));
    }
  }
  return entry->second;
}

void Parser::three(std::uint32_t (&out)[3]) {
  out[1] = out[2] = 1;
  for (std::size_t i = 0; i < 3 && (i == 0 || scanner_.accept(',')); ++i) {
    out[i] = static_cast<std::uint32_t>(read_count(scanner_, "an extent", 0xffffffff));
  }
}

void Parser::function_directives(Function& function) {
  while (scanner_.peek() == '.') {
    const Scanner::Mark before = scanner_.mark();
    const std::uint32_t place = scanner_.offset();
    const std::string_view text = scanner_.dotted();
    switch (find_word(text)) {
      case Word::maxntid: three(function.max_threads); break;
      case Word::reqntid: three(function.required_threads); break;
      case Word::reqnctapercluster: three(function.required_cluster); break;
      case Word::minnctapersm:
      case Word::maxnctapersm:
      case Word::maxnreg:
      case Word::maxclusterrank:
      case Word::abi_preserve:
      case Word::abi_preserve_control:
      case Word::minperctamemory: read_count(scanner_, fmt::format(".{}", text), 0xffffffff); break;
      case Word::noreturn: function.noreturn = true; break;
      case Word::explicitcluster:
      case Word::blocksareclusters: break;
      case Word::pragma: pragma(); break;
      case Word::loc: location(); break;
      case Word::extern_:  // the head of a prototype without a semicolon is over
      case Word::visible:
      case Word::weak:
      case Word::entry:
      case Word::func:
      case Word::global:
      case Word::const_:
      case Word::shared:
      case Word::file:
      case Word::section: scanner_.rewind(before); return;
      case Word::attribute: {
        Declaration ignored;
        attributes(ignored);
        break;
      }
      default:
        if (!scanner_.failed()) {
          scanner_.fail_at(place, fmt::format("there is no directive .{} for a function", text));
        }
    }
  }
}

void Parser::finish() {
  location_ = kNone;  // what fails from here on is not near the last .loc
  settle_aliases();
  for (const Pending& pending : pending_in_module_) {
    settle_in_module(pending);
  }
  for (const std::string_view name : mentioned_) {
    if (!module_.function_by_name.contains(name) && !module_.variable_by_name.contains(name)) {
      scanner_.fail_at(place_of(name), fmt::format("{} is not declared", name));
    }
  }
  name_inlined_functions();
}

void Parser::settle_in_module(const Pending& pending) {
  Operand& operand = module_.operands[pending.index];
  const bool in_address = operand.kind == Operand::Kind::address;
  const auto function = module_.function_by_name.find(pending.name);
  const auto variable = module_.variable_by_name.find(pending.name);
  if (function != module_.function_by_name.end()) {
    operand.home = Operand::Home::function;
    operand.index = function->second;
  } else if (variable != module_.variable_by_name.end()) {
    operand.home = Operand::Home::module_variable;
    operand.index = variable->second;
  } else {
    scanner_.fail_at(place_of(pending.name), fmt::format("{} is not declared", pending.name));
    return;
  }
  (in_address ? operand.base : operand.kind) = Operand::Kind::symbol;
}

void Parser::settle_aliases() {
  std::unordered_map<std::uint32_t, std::uint32_t> target_of;
  for (const Alias& alias : aliases_) {
    const auto target = module_.function_by_name.find(alias.target);
    if (target == module_.function_by_name.end() || module_.functions[target->second].external) {
      scanner_.fail_at(place_of(alias.target),
                       fmt::format("{} is not defined in this module", alias.target));
      return;
    }
    const auto [entry, added] = module_.function_by_name.try_emplace(alias.name, target->second);
    if (!added && entry->second != target->second) {
      if (!module_.functions[entry->second].external) {
        scanner_.fail_at(place_of(alias.name),
                         fmt::format("{} is defined and an alias too", alias.name));
        return;
      }
      target_of[entry->second] = target->second;
      entry->second = target->second;
    }
  }
  if (target_of.empty()) {
    return;
  }
  for (Operand& operand : module_.operands) {
    if (operand.home == Operand::Home::function) {
      const auto target = target_of.find(operand.index);
      operand.index = target == target_of.end() ? operand.index : target->second;
    }
  }
}

}  // namespace warpbook::device::ptx
