// The module: its directives, and what can only be checked when all of it has been read.
#include "device/simulator/ptx/parser.hpp"

#include <fmt/format.h>

namespace warpbook::device::ptx {

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
    Message& why = error.arguments.front().value;
    why = file.empty()
              ? Message{"phrase.ptx.made-of-line", {{"why", why}, {"line", place.line}}, {}}
              : Message{
                    "phrase.ptx.made-of", {{"why", why}, {"line", place.line}, {"file", file}}, {}};
  }
  return error;
}

void Parser::statement_of_module() {
  if (scanner_.accept(';')) {
    return;
  }
  if (scanner_.peek() != '.') {
    scanner_.fail_expected(what_message("a-directive"));
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
      case Word::common: linkage_word(word, place, linkage); continue;
      case Word::entry:
      case Word::func: return function(linkage, word == Word::entry);
      case Word::file: return file();
      case Word::loc: return location();
      case Word::section: needs(place, ".section"); return section();
      case Word::pragma: return pragma(false);
      case Word::alias: needs(place, ".alias"); return alias();
      case Word::target: scanner_.rewind(before); return target();
      case Word::address_size:
        if (read_count(scanner_, ".address_size", 64) != 64) {
          scanner_.fail_at(place, syntax("address-size"));
        }
        return;
      case Word::reg:
      case Word::local:
        if (module_.version_major >= 3) break;
        return private_of_module(word == Word::reg ? StateSpace::reg : StateSpace::local);
      default: break;
    }
    if (state_space_of(word, space) && space != StateSpace::reg && space != StateSpace::param &&
        space != StateSpace::sreg) {
      return declare_all(declaration(space, linkage), false);
    }
    if (word == Word::tex) {
      needs(place, ".tex");
      Declaration textures = declaration(StateSpace::global, linkage);
      textures.type = Type::texref;
      return declare_all(textures, false);
    }
    scanner_.fail_at(
        place, text.empty() ? syntax("a-directive")
                            : syntax("no-directive-in-module", {{"directive", std::string(text)}}));
    return;
  }
}

void Parser::linkage_word(Word word, std::uint32_t place, Linkage& linkage) {
  linkage.external |= word == Word::extern_;
  linkage.visible |= word == Word::visible;
  linkage.weak |= word == Word::weak || word == Word::common;
  if (word == Word::weak) needs(place, ".weak");
  if (word == Word::common) needs(place, ".common");
}

void Parser::alias() {
  const std::string_view name = scanner_.expect_name("the-alias");
  scanner_.expect(',', "after-the-alias");
  const std::string_view target = scanner_.expect_name("the-function-that-the-alias-stands-for");
  scanner_.expect(';', "after-alias");
  aliases_.push_back({name, target});
}

/// Before PTX 3.0, registers and local variables could be declared for all functions (PTX ISA 9.0, 7.1). Here each kernel
/// has its own; a function that is called would share them with its caller, and does not know them.
void Parser::private_of_module(StateSpace space) {
  module_private_.emplace_back(space, scanner_.mark());
  while (!scanner_.at_end() && scanner_.peek() != ';') {
    scanner_.skip_token();
  }
  scanner_.expect(';', "after-the-declaration");
}

void Parser::declare_private_of_module() {
  const Scanner::Mark here = scanner_.mark();
  for (const auto& [space, declared] : module_private_) {
    scanner_.rewind(declared);
    declare_all(declaration(space, {}), true);
  }
  scanner_.rewind(here);
}

void Parser::finish() {
  location_ = kNone;  // what fails from here on is not near the last .loc
  settle_aliases();
  for (const Pending& pending : pending_in_module_) {
    settle_in_module(pending);
  }
  for (const std::string_view name : mentioned_) {
    if (module_.function_by_name.contains(name)) {
      needs(place_of(name), "functions-as-initial-values");
    }
    if (!module_.function_by_name.contains(name) && !module_.variable_by_name.contains(name)) {
      scanner_.fail_at(place_of(name), syntax("undeclared", {{"name", std::string(name)}}));
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
    scanner_.fail_at(place_of(pending.name),
                     syntax("undeclared", {{"name", std::string(pending.name)}}));
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
                       syntax("undefined", {{"name", std::string(alias.target)}}));
      return;
    }
    const auto [entry, added] = module_.function_by_name.try_emplace(alias.name, target->second);
    if (!added && entry->second != target->second) {
      if (!module_.functions[entry->second].external) {
        scanner_.fail_at(place_of(alias.name),
                         syntax("defined-alias", {{"name", std::string(alias.name)}}));
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
