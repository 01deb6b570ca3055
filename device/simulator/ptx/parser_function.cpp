// Functions: their heads, and the directives there (PTX ISA 9.0, 11.2 and 11.4 to 11.7).
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
  function_.name = scanner_.expect_name("the name of the function");
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
    needs(place, "more than 4352 bytes of parameters of a kernel");
  }
  if (!function_.entry && (std::ranges::any_of(function_.parameters, in_param) ||
                           std::ranges::any_of(function_.returns, in_param))) {
    needs(place, "parameters of functions in .param");
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
          scanner_.fail_at(place, fmt::format("there is no directive .{} for {}", text,
                                              function.entry ? "a kernel" : "a function"));
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
    scanner_.fail_at(place, "a kernel has .maxntid or .reqntid, not both");
  } else if (has(Word::maxclusterrank) && has(Word::reqnctapercluster)) {
    scanner_.fail_at(place, "a kernel has .maxclusterrank or .reqnctapercluster, not both");
  } else if (has(Word::blocksareclusters) &&
             !(has(Word::reqntid) && has(Word::reqnctapercluster))) {
    scanner_.fail_at(place, ".blocksareclusters needs .reqntid and .reqnctapercluster");
  } else if (has(Word::noreturn) && !function.returns.empty()) {
    scanner_.fail_at(place, "a function with a result cannot be .noreturn");
  }
}

}  // namespace warpbook::device::ptx
