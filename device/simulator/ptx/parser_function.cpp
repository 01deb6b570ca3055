// Functions: their heads with the directives there (PTX ISA 9.0, 11.2 and 11.4 to 11.7), and their bodies with scopes, labels,
// tables and instructions.
#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "device/simulator/ptx/parser.hpp"

namespace warpbook::device::ptx {
namespace {

constexpr std::uint64_t kPlainParameterBytes = 4352;  // of a kernel; more came later

bool is_of_kernels(Word word) {
  switch (word) {
    case Word::maxntid:
    case Word::reqntid:
    case Word::minnctapersm:
    case Word::maxnctapersm:
    case Word::maxnreg:
    case Word::reqnctapercluster:
    case Word::maxclusterrank:
    case Word::explicitcluster:
    case Word::blocksareclusters: return true;
    default: return false;
  }
}

bool is_of_called(Word word) {
  return word == Word::noreturn || word == Word::abi_preserve || word == Word::abi_preserve_control;
}

/// Where the kernel's parameters would end.
std::uint64_t parameter_bytes(const Function& function) {
  std::uint64_t bytes = 0;
  for (const Variable& parameter : function.parameters) {
    const std::uint64_t alignment = std::max<std::uint64_t>(parameter.alignment, 1);
    bytes = (bytes + alignment - 1) / alignment * alignment + parameter.bytes;
  }
  return bytes;
}

constexpr std::size_t kMaxScopes = 256;

}  // namespace

void Parser::function(Linkage linkage, bool entry) {
  function_ = Function{};
  function_.entry = entry;
  function_.visible = linkage.visible;
  function_.weak = linkage.weak;
  function_.ptx_line = scanner_.line();
  location_ = kNone;
  attributes_of_function();
  if (!entry && scanner_.peek() == '(') {
    function_.returns = parameters();
  }
  const std::uint32_t place = scanner_.offset();
  function_.name = scanner_.expect_name("the-name-of-the-function");
  if (scanner_.failed()) {
    return;
  }
  const std::uint32_t index = name_function(function_.name);
  if (scanner_.peek() == '(') {
    function_.parameters = parameters();
  }
  features_of_parameters(place);
  function_directives(function_);
  // A prototype may go without a semicolon: another directive follows.
  function_.external = scanner_.accept(';') || (!entry && scanner_.peek() != '{');
  if (!function_.external) {
    if (!scanner_.accept('{')) {
      scanner_.fail_expected(
          expectation("function-body", {{"sign", "'{'"}, {"name", std::string(function_.name)}}));
    }
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
    scanner_.fail_at(place, syntax("defined-twice", {{"name", std::string(function_.name)}}));
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
      scanner_.fail_at(place_of(name), syntax("name-of-variable", {{"name", std::string(name)}}));
    }
  }
  return entry->second;
}

void Parser::three(std::uint32_t (&out)[3]) {
  out[1] = out[2] = 1;
  for (std::size_t i = 0; i < 3 && (i == 0 || scanner_.accept(',')); ++i) {
    out[i] = static_cast<std::uint32_t>(read_count(scanner_, "an-extent", 0xffffffff));
  }
}

void Parser::attributes_of_function() {
  const Scanner::Mark before = scanner_.mark();
  if (scanner_.peek() != '.' || find_word(scanner_.dotted()) != Word::attribute) {
    scanner_.rewind(before);
    return;
  }
  Declaration ignored;
  attributes(ignored);
}

void Parser::features_of_parameters(std::uint32_t place) {
  const auto in_param = [](const Variable& v) { return v.space == StateSpace::param; };
  if (function_.entry && parameter_bytes(function_) > kPlainParameterBytes) {
    needs(place, "more-than-4352-bytes-of-parameters-of-a-kernel");
  }
  if (!function_.entry && (std::ranges::any_of(function_.parameters, in_param) ||
                           std::ranges::any_of(function_.returns, in_param))) {
    needs(place, "parameters-of-functions-in-param");
  }
}

void Parser::function_directives(Function& function) {
  std::vector<Word> seen;
  const std::uint32_t begin = scanner_.offset();
  while (scanner_.peek() == '.') {
    const Scanner::Mark before = scanner_.mark();
    const std::uint32_t place = scanner_.offset();
    const std::string_view text = scanner_.dotted();
    const Word word = find_word(text);
    switch (word) {
      case Word::extern_:  // the head of a prototype without a semicolon is over
      case Word::visible:
      case Word::weak:
      case Word::entry:
      case Word::func:
      case Word::global:
      case Word::const_:
      case Word::shared:
      case Word::file:
      case Word::section: scanner_.rewind(before); return conflicts_of(function, seen, begin);
      case Word::pragma: pragma(false); break;
      case Word::loc: location(); break;
      default:
        if (is_of_kernels(word) ? !function.entry : function.entry || !is_of_called(word)) {
          if (scanner_.failed()) return;
          scanner_.fail_at(
              place, syntax(function.entry ? "no-directive-of-kernel" : "no-directive-of-function",
                            {{"directive", std::string(text)}}));
          return;
        }
        needs(place, fmt::format(".{}", text));
        seen.push_back(word);
        function_directive(word, text, function);
    }
  }
  conflicts_of(function, seen, begin);
}

void Parser::function_directive(Word word, std::string_view text, Function& function) {
  switch (word) {
    case Word::maxntid: return three(function.max_threads);
    case Word::reqntid: return three(function.required_threads);
    case Word::reqnctapercluster: return three(function.required_cluster);
    case Word::noreturn: function.noreturn = true; return;
    case Word::explicitcluster:
    case Word::blocksareclusters: return;
    default: read_count(scanner_, fmt::format(".{}", text), 0xffffffff);
  }
}

void Parser::conflicts_of(const Function& function, const std::vector<Word>& seen,
                          std::uint32_t place) {
  const auto has = [&](Word word) { return std::ranges::find(seen, word) != seen.end(); };
  if (has(Word::maxntid) && has(Word::reqntid)) {
    scanner_.fail_at(place, syntax("maxntid-reqntid"));
  } else if (has(Word::maxclusterrank) && has(Word::reqnctapercluster)) {
    scanner_.fail_at(place, syntax("two-clusters"));
  } else if (has(Word::blocksareclusters) &&
             !(has(Word::reqntid) && has(Word::reqnctapercluster))) {
    scanner_.fail_at(place, syntax("blocksareclusters"));
  } else if (has(Word::noreturn) && !function.returns.empty()) {
    scanner_.fail_at(place, syntax("noreturn"));
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Bodies

void Parser::open_scope() {
  names_.open_scope();
  ranges_.open_scope();
  labels_.open_scope();
  ranges_by_depth_.push_back(0);
  pending_marks_.push_back(pending_.size());
}

/// Names that this scope declares as labels or tables are settled; the others are the outer scope's
/// to settle.
void Parser::close_scope() {
  const std::size_t mark = pending_marks_.back();
  const bool last = names_.depth() == 1;
  std::size_t kept = mark;
  for (std::size_t i = mark; i < pending_.size() && !scanner_.failed(); ++i) {
    if (settle(pending_[i])) {
      continue;
    }
    if (!last) {
      pending_[kept++] = pending_[i];
    } else if (pending_[i].label_only) {
      location_ = kNone;  // the last .loc is not the place of this name
      scanner_.fail_at(place_of(pending_[i].name),
                       syntax("no-label", {{"name", std::string(pending_[i].name)}}));
    } else {
      pending_in_module_.push_back(pending_[i]);
    }
  }
  pending_.resize(kept);
  pending_marks_.pop_back();
  ranges_by_depth_.pop_back();
  labels_.close_scope();
  ranges_.close_scope();
  names_.close_scope();
}

bool Parser::settle(const Pending& pending) {
  const Meaning* meaning = labels_.find(pending.name);
  if (meaning == nullptr || meaning->depth != labels_.depth()) {
    return false;
  }
  const bool is_label = meaning->kind == kLabel;
  if (pending.label_only && !is_label) {
    return false;
  }
  if (pending.target != kNone) {
    function_.tables[pending.index].labels[pending.target] = meaning->index;
    return true;
  }
  Operand& operand = module_.operands[pending.index];
  if (operand.kind == Operand::Kind::address) {
    scanner_.fail_at(place_of(pending.name),
                     syntax("label-address", {{"name", std::string(pending.name)}}));
    return true;
  }
  operand.kind = is_label ? Operand::Kind::label : Operand::Kind::table;
  operand.index = meaning->index;
  return true;
}

/// From behind the opening brace to behind the closing one.
void Parser::body() {
  const std::size_t outside = pending_marks_.size();
  open_scope();
  while (pending_marks_.size() > outside) {
    if (scanner_.at_end()) {
      scanner_.fail_expected(
          expectation("function-end", {{"sign", "'}'"}, {"name", std::string(function_.name)}}));
      break;
    }
    if (scanner_.accept('{')) {
      if (pending_marks_.size() > kMaxScopes) {
        scanner_.fail(syntax("deep-scopes", {{"most", kMaxScopes}}));
        break;
      }
      open_scope();
    } else if (scanner_.accept('}')) {
      close_scope();
    } else {
      statement();
    }
  }
  while (pending_marks_.size() > outside) {
    close_scope();
  }
}

void Parser::statement() {
  const char c = scanner_.peek();
  if (c == '.') {
    directive_in_body();
    return;
  }
  if (c == ';') {
    scanner_.take(1);
    return;
  }
  if (c == '@') {
    instruction();
    return;
  }
  if (!begins_name(c)) {
    scanner_.fail_expected(what_message("an-instruction-a-label-or-a-directive"));
    return;
  }
  // A label is a name with a colon behind it, whatever else the name may mean.
  const char* begin = scanner_.text().data() + scanner_.offset();
  const char* end = begin + 1;
  while (is_word_character(*end)) {
    ++end;
  }
  while (*end == ' ' || *end == '\t' || *end == '\r' || *end == '\n') {
    ++end;
  }
  if (*end == ':' && end[1] != ':') {
    const std::uint32_t place = scanner_.offset();
    const std::string_view name = scanner_.name();
    scanner_.take(1);
    label(name, place);
  } else {
    instruction();
  }
}

void Parser::directive_in_body() {
  Linkage linkage;
  for (;;) {
    const std::uint32_t place = scanner_.offset();
    const std::string_view text = scanner_.peek() == '.' ? scanner_.dotted() : std::string_view();
    const Word word = find_word(text);
    StateSpace space{};
    switch (word) {
      case Word::extern_:
      case Word::visible:
      case Word::weak:
      case Word::common: linkage_word(word, place, linkage); continue;
      case Word::loc: return location();
      case Word::file: return file();
      case Word::section: return section();
      case Word::pragma: return pragma(true);
      default: break;
    }
    if (state_space_of(word, space) && space != StateSpace::sreg) {
      return declare_all(declaration(space, linkage), true);
    }
    if (!scanner_.failed()) {
      scanner_.fail_at(place, text.empty() ? syntax("a-directive")
                                           : syntax("no-directive-in-function",
                                                    {{"directive", std::string(text)}}));
    }
    return;
  }
}

void Parser::label(std::string_view name, std::uint32_t place) {
  if (scanner_.peek() == '.') {
    const Scanner::Mark before = scanner_.mark();
    const std::uint32_t table_place = scanner_.offset();
    const std::string_view text = scanner_.dotted();
    const Word word = find_word(text);
    if (word == Word::branchtargets || word == Word::calltargets || word == Word::callprototype) {
      needs(table_place, fmt::format(".{}", text));
      if (!labels_.declare(name, kTable, static_cast<std::uint32_t>(function_.tables.size()))) {
        scanner_.fail_at(place, syntax("declared-twice", {{"name", std::string(name)}}));
      }
      Table made;
      made.label = name;
      made.kind = word == Word::branchtargets ? Table::Kind::branch_targets
                  : word == Word::calltargets ? Table::Kind::call_targets
                                              : Table::Kind::call_prototype;
      function_.tables.push_back(std::move(made));
      table(function_.tables.back());
      return;
    }
    scanner_.rewind(before);
  }
  if (!labels_.declare(name, kLabel, static_cast<std::uint32_t>(function_.labels.size()))) {
    scanner_.fail_at(place, syntax("label-twice", {{"name", std::string(name)}}));
  }
  function_.label_names.push_back(name);
  function_.labels.push_back(static_cast<std::uint32_t>(function_.instructions.size()));
}

void Parser::table(Table& table) {
  if (table.kind == Table::Kind::call_prototype) {
    if (scanner_.peek() == '(') {
      table.returns = parameters();
    }
    scanner_.expect_name("in-a-prototype");
    if (scanner_.peek() == '(') {
      table.parameters = parameters();
    }
    Function directives;
    directives.returns = table.returns;
    function_directives(directives);
    table.noreturn = directives.noreturn;
  } else {
    const bool branches = table.kind == Table::Kind::branch_targets;
    do {
      const std::string_view name = scanner_.expect_name(branches ? "a-label" : "a-function");
      if (branches) {
        const auto target = static_cast<std::uint32_t>(table.labels.size());
        pending_.push_back(
            {name, static_cast<std::uint32_t>(function_.tables.size() - 1), target, true});
        table.labels.push_back(kNone);
      } else {
        table.functions.push_back(name);
        mentioned_.push_back(name);
      }
    } while (scanner_.accept(','));
  }
  scanner_.expect(';', "after-the-table");
}

void Parser::guard(Instruction& instruction) {
  instruction.guarded = true;
  instruction.guard_negated = scanner_.accept('!');
  const std::uint32_t place = scanner_.offset();
  const std::string_view name = scanner_.expect_name("a-predicate-register");
  if (scanner_.failed()) {
    return;
  }
  if (!find_register(name, instruction.guard)) {
    scanner_.fail_at(place, syntax("no-register", {{"name", std::string(name)}}));
  } else if (function_.registers[instruction.guard].type != Type::pred) {
    scanner_.fail_at(place, syntax("no-predicate", {{"name", std::string(name)}}));
  }
}

void Parser::instruction() {
  constexpr std::size_t kMaxCount = 0xffff;
  Instruction result;
  result.location = location_;
  result.ptx_line = scanner_.line();
  result.text_begin = scanner_.offset();
  if (scanner_.accept('@')) {
    guard(result);
  }
  const std::uint32_t place = scanner_.offset();
  const std::string_view opcode = scanner_.expect_name("an-opcode");
  result.opcode = find_word(opcode);
  result.modifier_first = static_cast<std::uint32_t>(module_.modifiers.size());
  while (scanner_.peek() == '.') {
    module_.modifiers.push_back(find_word(scanner_.dotted()));
  }
  scratch_.clear();
  if (result.opcode == Word::call) {
    call_operands();
  } else if (scanner_.peek() != ';') {
    operands(result.opcode == Word::bra);
  }
  settle_elements(result.opcode);
  unwrap_single(result.opcode);
  const std::size_t modifier_count = module_.modifiers.size() - result.modifier_first;
  if (modifier_count > kMaxCount || scratch_.size() > kMaxCount) {
    scanner_.fail_at(place, syntax("operands", {{"most", kMaxCount}}));
  }
  result.modifier_count = static_cast<std::uint16_t>(modifier_count);
  result.operand_count = static_cast<std::uint16_t>(scratch_.size());
  result.operand_first = keep_operands(0);
  scanner_.expect(';', "after-the-operands");
  result.text_end = scanner_.end_of_last();
  function_.instructions.push_back(result);
}

std::uint32_t Parser::keep_operands(std::size_t mark) {
  const auto first = static_cast<std::uint32_t>(module_.operands.size());
  for (std::size_t i = mark; i < scratch_.size(); ++i) {
    const Operand& operand = scratch_[i];
    const bool unknown_base =
        operand.kind == Operand::Kind::address && operand.base == Operand::Kind::label;
    if (operand.kind == Operand::Kind::label || unknown_base) {
      const bool label_only = operand.index == kLabelOnly;
      pending_.push_back(
          {operand.name, static_cast<std::uint32_t>(module_.operands.size()), kNone, label_only});
    }
    module_.operands.push_back(operand);
  }
  scratch_.resize(mark);
  return first;
}

}  // namespace warpbook::device::ptx
