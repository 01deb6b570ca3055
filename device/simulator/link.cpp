// Links the texts of modules, so that the result is PTX that a driver would take as well. Each module is read twice: the
// parser says what its symbols are, and a Splitter here says which bytes of the text declare them. The result is
//
//   1. one head with the highest version and target,
//   2. a prototype of each function that some module declares (PTX wants a name declared before its use, and the
//      definition may be in a later module),
//   3. the modules' own texts without their heads, their prototypes of 2. and weak definitions that another one replaces,
//      with new numbers of files and new names for what two modules have for themselves.
#include "device/simulator/link.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "device/kernel_name.hpp"
#include "device/simulator/isa/externals.hpp"
#include "device/simulator/ptx/module.hpp"
#include "device/simulator/ptx/scanner.hpp"

namespace warpbook::device {
namespace {

using ptx::Word;

/// One statement of a module: its bytes, and what it declares.
struct Statement {
  enum class Kind : std::uint8_t {
    version,
    target,
    address_size,
    file,
    debug_strings,  ///< .section .debug_str
    debug_data,     ///< any other .section
    alias,
    variable,
    prototype,  ///< of a function
    function,   ///< with a body
    other
  };
  Kind kind = Kind::other;
  std::uint32_t begin = 0, end = 0;
  std::uint32_t linkage_end = 0;  ///< where .extern, .visible and .weak are over
  std::vector<std::string_view>
      names;  ///< of variables, a function, an alias; labels of debug strings; a target's words
  std::string_view file_number, file_path;  ///< of .file
};

/// Divides the text of a module, which parses, into its statements.
class Splitter {
 public:
  Splitter(const std::string& text, const std::string& name) : scanner_(text, name) {}

  std::vector<Statement> run() {
    std::vector<Statement> statements;
    while (!scanner_.at_end()) statements.push_back(next());
    return statements;
  }

 private:
  using Kind = Statement::Kind;

  Statement next() {
    Statement s;
    s.begin = s.linkage_end = scanner_.offset();
    Word word = Word::unknown;
    for (;;) {
      word = directive();
      if (word != Word::extern_ && word != Word::visible && word != Word::weak &&
          word != Word::common)
        break;
      s.linkage_end = scanner_.offset();
    }
    rest(s, word);
    s.end = scanner_.end_of_last();
    return s;
  }

  /// Takes the directive here. Word::unknown where there is none, behind one token of another kind.
  Word directive() {
    if (scanner_.peek() == '.') return ptx::find_word(scanner_.dotted());
    scanner_.skip_token();
    return Word::unknown;
  }

  void rest(Statement& s, Word word) {
    switch (word) {
      case Word::version:
        s.kind = Kind::version;
        for (int part = 0; part < 3; ++part) scanner_.skip_token();  // 9 . 0
        return;
      case Word::target:
        s.kind = Kind::target;
        do s.names.push_back(scanner_.name());
        while (scanner_.accept(','));
        return;
      case Word::address_size:
        s.kind = Kind::address_size;
        scanner_.skip_token();
        return;
      case Word::file: return file(s);
      case Word::section: return section(s);
      case Word::entry:
      case Word::func: return function(s);
      case Word::alias:
        s.kind = Kind::alias;
        s.names.push_back(scanner_.name());
        return skip_past(';');
      case Word::pragma: return skip_past(';');
      case Word::loc: return location();
      case Word::unknown: return;  // a semicolon that ends nothing
      default: s.kind = Kind::variable; return variables(s);
    }
  }

  void file(Statement& s) {
    s.kind = Kind::file;
    s.file_number = token();
    s.file_path = scanner_.quoted("the-name-of-the-file");
    while (scanner_.accept(',')) scanner_.skip_token();  // its time and size
  }

  void section(Statement& s) {
    const std::string_view name =
        scanner_.peek() == '"' ? scanner_.quoted("the-name-of-a-section") : scanner_.dotted();
    const bool strings = name == "debug_str" || name == ".debug_str";
    s.kind = strings ? Kind::debug_strings : Kind::debug_data;
    while (!scanner_.at_end() && !scanner_.accept('}')) {
      const std::string_view label = scanner_.name();
      if (label.empty()) {
        scanner_.skip_token();
      } else if (scanner_.accept(':')) {
        s.names.push_back(label);
      }
    }
  }

  /// Behind .entry or .func. The first name outside of brackets is the function's.
  void function(Statement& s) {
    s.kind = Kind::prototype;
    for (int depth = 0; !scanner_.at_end();) {
      const char c = scanner_.peek();
      if (depth == 0 && c == ';') return scanner_.take(1);
      if (depth == 0 && c == '{') {
        s.kind = Kind::function;
        return skip_braces();
      }
      if (depth == 0 && c == '.' && !s.names.empty() && at_next_statement()) return;
      depth += (c == '(') - (c == ')');
      const std::string_view name = scanner_.name();
      if (!name.empty() && depth == 0 && s.names.empty()) {
        s.names.push_back(name);
      } else if (name.empty()) {
        skip_word();
      }
    }
  }

  /// A prototype may go without a semicolon, and then another statement follows.
  bool at_next_statement() {
    const ptx::Scanner::Mark here = scanner_.mark();
    const Word word = ptx::find_word(scanner_.dotted());
    scanner_.rewind(here);
    constexpr std::array kBegin{Word::extern_, Word::visible, Word::weak,   Word::entry,
                                Word::func,    Word::global,  Word::const_, Word::shared,
                                Word::file,    Word::section};
    return std::ranges::find(kBegin, word) != kBegin.end();
  }

  /// Behind a state space. A name comes after the type and after each comma that is not in brackets.
  void variables(Statement& s) {
    bool name_follows = true;
    for (int depth = 0; !scanner_.at_end();) {
      const char c = scanner_.peek();
      if (depth == 0 && c == ';') return scanner_.take(1);
      depth += (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
      name_follows |= depth == 0 && c == ',';
      const std::string_view name = scanner_.name();
      if (!name.empty() && depth == 0 && name_follows) {
        s.names.push_back(name);
        name_follows = false;
      } else if (name.empty()) {
        skip_word();
      }
    }
  }

  /// A .loc outside of functions; the words of its tail are not directives, so the next dot begins a statement.
  void location() {
    while (!scanner_.at_end() && scanner_.peek() != '.') scanner_.skip_token();
  }

  void skip_braces() {
    int depth = 0;
    do {
      depth += (scanner_.peek() == '{') - (scanner_.peek() == '}');
      scanner_.skip_token();
    } while (depth != 0 && !scanner_.at_end());
  }

  void skip_past(char c) {
    while (!scanner_.at_end() && !scanner_.accept(c)) scanner_.skip_token();
  }

  /// One token, where a word behind a dot belongs to the dot: it names nothing.
  void skip_word() {
    if (scanner_.peek() == '.' && ptx::is_word_character(scanner_.peek_next())) {
      (void)scanner_.dotted();
    } else {
      scanner_.skip_token();
    }
  }

  std::string_view token() {
    const std::uint32_t begin = scanner_.offset();
    scanner_.skip_token();
    return scanner_.text().substr(begin, scanner_.end_of_last() - begin);
  }

  ptx::Scanner scanner_;
};

/// A module of the program, read in both ways.
struct Part {
  const PtxModule* source = nullptr;
  ptx::Module parsed;
  std::vector<Statement> statements;
  std::unordered_map<std::string_view, std::string> renamed;  ///< symbols and labels
  std::unordered_map<std::string_view, std::string> files;    ///< old numbers to new ones
  /// The beginning of its debug strings, from which `.debug_str+16` counts; empty where they come first.
  std::string strings_label;
};

enum class Strength : std::uint8_t { local, declared, weak, strong };

/// A function or variable as one module has it. The other pointer is null; an alias has neither.
struct Symbol {
  const Part* part = nullptr;
  const ptx::Function* function = nullptr;
  const ptx::Variable* variable = nullptr;
  Strength strength = Strength::local;
};

Symbol symbol_of(const Part& part, const ptx::Function& f) {
  const Strength strength = f.external  ? Strength::declared
                            : f.weak    ? Strength::weak
                            : f.visible ? Strength::strong
                                        : Strength::local;
  return {&part, &f, nullptr, strength};
}

Symbol symbol_of(const Part& part, const ptx::Variable& v) {
  // `extern __shared__ x[]` is the launch's shared memory, which every kernel may give a name and a type of its own.
  const bool of_launch = v.external && v.space == ptx::StateSpace::shared && v.bytes == 0;
  const Strength strength = of_launch    ? Strength::local
                            : v.external ? Strength::declared
                            : v.weak     ? Strength::weak
                            : v.visible  ? Strength::strong
                                         : Strength::local;
  return {&part, nullptr, &v, strength};
}

/// ".b32", or ".b8[12]" of what has no register's size.
std::string type_in_words(const ptx::Variable& v) {
  const bool scalar = !v.array && v.bytes != 0 && (v.bytes & (v.bytes - 1)) == 0 && v.bytes <= 16;
  if (scalar) return fmt::format(".b{}", 8 * v.bytes);
  return v.bytes == 0 ? ".b8[]" : fmt::format(".b8[{}]", v.bytes);
}

std::string list_in_words(const std::vector<ptx::Variable>& list) {
  std::string text;
  for (const ptx::Variable& v : list) text += (text.empty() ? "" : ", ") + type_in_words(v);
  return "(" + text + ")";
}

std::string_view space_in_words(ptx::StateSpace space) {
  return space == ptx::StateSpace::constant ? ".const"
         : space == ptx::StateSpace::shared ? ".shared"
                                            : ".global";
}

/// What a linker can compare: the kind, state spaces and sizes. Types of one size are one to it, as to nvlink.
std::string in_words(const Symbol& symbol) {
  if (symbol.variable)
    return fmt::format("{} {}", space_in_words(symbol.variable->space),
                       type_in_words(*symbol.variable));
  const ptx::Function& f = *symbol.function;
  if (f.entry) return ".entry " + list_in_words(f.parameters);
  return fmt::format(".func {} {}", list_in_words(f.returns), list_in_words(f.parameters));
}

bool agree(const Symbol& a, const Symbol& b) {
  const bool alias = (!a.function && !a.variable) || (!b.function && !b.variable);
  if (alias) return true;  // an alias has the type of its target, which the parser looks after
  if (!a.variable || !b.variable) return in_words(a) == in_words(b);
  const bool open = a.variable->bytes == 0 || b.variable->bytes == 0;  // extern int x[];
  return a.variable->space == b.variable->space && (open || a.variable->bytes == b.variable->bytes);
}

/// Whether something in the module needs the symbol, beyond its declaration.
bool uses(const ptx::Module& module, std::string_view name) {
  const auto function = module.function_by_name.find(name);
  const auto variable = module.variable_by_name.find(name);
  using Home = ptx::Operand::Home;
  const bool by_instruction = std::ranges::any_of(module.operands, [&](const ptx::Operand& o) {
    return (o.home == Home::function && function != module.function_by_name.end() &&
            o.index == function->second) ||
           (o.home == Home::module_variable && variable != module.variable_by_name.end() &&
            o.index == variable->second);
  });
  const bool by_variable = std::ranges::any_of(module.variables, [&](const ptx::Variable& v) {
    return std::ranges::find(v.addresses, name, &ptx::Variable::Address::symbol) !=
           v.addresses.end();
  });
  const bool by_table = std::ranges::any_of(module.functions, [&](const ptx::Function& f) {
    return std::ranges::any_of(f.tables, [&](const ptx::Table& t) {
      return std::ranges::find(t.functions, name) != t.functions.end();
    });
  });
  return by_instruction || by_variable || by_table;
}

std::string name_in_source(std::string_view symbol) { return kernel_name_of(symbol).name; }

class Linker {
 public:
  explicit Linker(std::span<const PtxModule> modules) : modules_(modules) {}

  Expected<std::string> run() {
    if (auto ok = read(); !ok) return tl::unexpected(ok.error());
    if (auto ok = define(); !ok) return tl::unexpected(ok.error());
    if (auto ok = check_declarations(); !ok) return tl::unexpected(ok.error());
    rename_locals();
    rename_labels();
    number_files();
    std::string program = head() + prototypes();
    for (const Part& part : parts_) program += text_of(part);
    return program;
  }

 private:
  using Kind = Statement::Kind;

  Expected<void> read() {
    parts_.reserve(modules_.size());  // symbols point into the parts
    for (const PtxModule& module : modules_) {
      auto parsed = ptx::parse(module.text, module.name);
      if (!parsed) return tl::unexpected(parsed.error());
      parts_.push_back(
          {&module, std::move(*parsed), Splitter(module.text, module.name).run(), {}, {}, {}});
    }
    return {};
  }

  template <class Visit>
  static void for_each_symbol(const Part& part, Visit&& visit) {
    for (const ptx::Function& f : part.parsed.functions) visit(f.name, symbol_of(part, f));
    for (const ptx::Variable& v : part.parsed.variables) visit(v.name, symbol_of(part, v));
    for (const Statement& s : part.statements) {
      if (s.kind == Kind::alias)
        visit(s.names[0], Symbol{&part, nullptr, nullptr, Strength::strong});
    }
  }

  /// Chooses the definition of each symbol that modules share.
  Expected<void> define() {
    std::optional<Error> error;
    for (const Part& part : parts_) {
      for_each_symbol(part, [&](std::string_view name, const Symbol& symbol) {
        if (symbol.strength < Strength::weak) return;
        const auto [entry, added] = definitions_.try_emplace(name, symbol);
        if (added) return;
        Symbol& known = entry->second;
        if (known.strength == Strength::weak && symbol.strength == Strength::strong) {
          known = symbol;
        } else if (symbol.strength == Strength::strong && known.part != &part && !error) {
          error = Error{ErrorCode::link_duplicate,
                        {{"name", name_in_source(name)},
                         {"first", known.part->source->name},
                         {"second", part.source->name}},
                        {}};
        }
      });
    }
    if (error) return tl::unexpected(*error);
    return {};
  }

  /// Every declaration, and every weak definition that gave way, fits the definition that was chosen.
  Expected<void> check_declarations() {
    std::optional<Error> error;
    for (const Part& part : parts_) {
      for_each_symbol(part, [&](std::string_view name, const Symbol& symbol) {
        if (error || symbol.strength == Strength::local) return;
        const auto found = definitions_.find(name);
        if (found == definitions_.end()) {
          if (!isa::is_of_system(name) && uses(part.parsed, name))
            error = Error{ErrorCode::link_undefined,
                          {{"name", name_in_source(name)}, {"module", part.source->name}},
                          {}};
        } else if (!agree(found->second, symbol)) {
          error = Error{ErrorCode::link_mismatch,
                        {{"name", name_in_source(name)},
                         {"first", found->second.part->source->name},
                         {"second", part.source->name},
                         {"one", in_words(found->second)},
                         {"other", in_words(symbol)}},
                        {}};
        }
      });
    }
    if (error) return tl::unexpected(*error);
    return {};
  }

  /// nvcc gives the statics of each file names of their own, but not the strings that it makes ($str), nor what the launch
  /// gives as shared memory.
  void rename_locals() {
    std::set<std::string, std::less<>> taken;
    for (const auto& [name, symbol] : definitions_) taken.emplace(name);
    for (const Part& part : parts_) {
      for_each_symbol(part, [&](std::string_view name, const Symbol& symbol) {
        if (symbol.strength == Strength::declared) taken.emplace(name);
      });
    }
    for (Part& part : parts_) {
      for_each_symbol(part, [&](std::string_view name, const Symbol& symbol) {
        if (symbol.strength != Strength::local) return;
        if (!taken.emplace(name).second) part.renamed[name] = new_name(name, taken);
      });
    }
  }

  static std::string new_name(std::string_view name, std::set<std::string, std::less<>>& taken) {
    for (int number = 2;; ++number) {
      std::string made = fmt::format("{}$linked{}", name, number);
      if (taken.insert(made).second) return made;
    }
  }

  /// The labels of debug strings count anew in every module. The sections of all modules become one.
  void rename_labels() {
    std::set<std::string, std::less<>> taken;
    bool first = true;
    for (Part& part : parts_) {
      for (const Statement& s : part.statements) {
        if (s.kind != Kind::debug_strings) continue;
        if (!std::exchange(first, false) && part.strings_label.empty())
          part.strings_label = new_name("$L__debug_str", taken);
        for (const std::string_view label : s.names) {
          if (!taken.emplace(label).second) part.renamed[label] = new_name(label, taken);
        }
      }
    }
  }

  void number_files() {
    std::unordered_map<std::string_view, std::size_t> known;
    for (Part& part : parts_) {
      for (const Statement& s : part.statements) {
        if (s.kind != Kind::file) continue;
        const auto [file, added] = known.try_emplace(s.file_path, known.size() + 1);
        part.files[s.file_number] = std::to_string(file->second);
        if (added) first_named_.insert(&s);
      }
    }
  }

  [[nodiscard]] std::string head() const {
    std::pair<std::uint32_t, std::uint32_t> version;
    std::pair<std::uint32_t, std::string_view>
        target;  // of equal numbers, sm_90a is more than sm_90
    std::vector<std::string_view> options;
    for (const Part& part : parts_) {
      version = std::max(version, {part.parsed.version_major, part.parsed.version_minor});
      for (const Statement& s : part.statements) {
        if (s.kind != Kind::target) continue;
        for (const std::string_view word : s.names) {
          if (word.starts_with("sm_") || word.starts_with("compute_")) {
            target = std::max(target, {part.parsed.target, word});
          } else if (std::ranges::find(options, word) == options.end()) {
            options.push_back(word);
          }
        }
      }
    }
    std::string text =
        fmt::format(".version {}.{}\n.target {}", version.first, version.second, target.second);
    for (const std::string_view option : options) text += fmt::format(", {}", option);
    return text + "\n.address_size 64\n";
  }

  /// One prototype of each shared function that a module declares, with the linkage of its definition.
  [[nodiscard]] std::string prototypes() const {
    std::set<std::string_view> done;
    std::string text;
    for (const Part& part : parts_) {
      for (const Statement& s : part.statements) {
        if (!is_shared_prototype(part, s) || !done.insert(s.names[0]).second) continue;
        const auto found = definitions_.find(s.names[0]);
        text += found == definitions_.end()                  ? ".extern "
                : found->second.strength == Strength::strong ? ".visible "
                                                             : ".weak ";
        text += part.source->text.substr(s.linkage_end, s.end - s.linkage_end);
        text += text.ends_with(';') ? "\n" : ";\n";
      }
    }
    return text;
  }

  /// A prototype that is not of the module's own function.
  [[nodiscard]] static bool is_shared_prototype(const Part& part, const Statement& s) {
    if (s.kind != Kind::prototype) return false;
    const ptx::Function& f = part.parsed.functions[part.parsed.function_by_name.at(s.names[0])];
    return f.name != s.names[0] || symbol_of(part, f).strength != Strength::local;
  }

  /// The names that a dropped statement leaves to another module's definition.
  [[nodiscard]] bool gave_way(const Part& part, const Statement& s) const {
    if (s.kind != Kind::function && s.kind != Kind::variable) return false;
    return !s.names.empty() && std::ranges::all_of(s.names, [&](std::string_view name) {
      const auto found = definitions_.find(name);
      return found != definitions_.end() && found->second.part != &part &&
             defines_weakly(part, name);
    });
  }

  [[nodiscard]] static bool defines_weakly(const Part& part, std::string_view name) {
    const auto function = part.parsed.function_by_name.find(name);
    if (function != part.parsed.function_by_name.end())
      return symbol_of(part, part.parsed.functions[function->second]).strength == Strength::weak;
    const auto variable = part.parsed.variable_by_name.find(name);
    return variable != part.parsed.variable_by_name.end() &&
           symbol_of(part, part.parsed.variables[variable->second]).strength == Strength::weak;
  }

  [[nodiscard]] bool is_dropped(const Part& part, const Statement& s) const {
    switch (s.kind) {
      case Kind::version:
      case Kind::target:
      case Kind::address_size: return true;
      // DWARF of one compilation. Joining it would take a linker for DWARF, and nothing here reads it.
      case Kind::debug_data: return true;
      case Kind::file: return !first_named_.contains(&s);
      case Kind::prototype: return is_shared_prototype(part, s);
      default: return gave_way(part, s);
    }
  }

  [[nodiscard]] std::string text_of(const Part& part) const {
    std::string text = "\n// " + part.source->name.substr(0, part.source->name.find('\n')) + "\n";
    for (const Statement& s : part.statements) {
      if (!is_dropped(part, s)) text += text_of(part, s) + "\n";
    }
    return text;
  }

  /// The statement with its new names and numbers of files, blanks and comments as they are.
  [[nodiscard]] std::string text_of(const Part& part, const Statement& s) const {
    const std::string statement = part.source->text.substr(s.begin, s.end - s.begin);
    ptx::Scanner scanner(statement, part.source->name);
    std::string result;
    std::uint32_t copied = 0;
    bool file_follows = false;
    const auto replace = [&](std::uint32_t begin, const std::string& by) {
      result += std::string_view(statement).substr(copied, begin - copied);
      result += by;
      copied = scanner.end_of_last();
    };
    while (!scanner.at_end()) {
      const std::uint32_t begin = scanner.offset();
      const char c = scanner.peek();
      if (c == '.' && ptx::is_word_character(scanner.peek_next())) {
        const std::string_view word = scanner.dotted();
        file_follows = word == "loc" || word == "file";
        const bool strings = word == "debug_str" && s.kind != Kind::debug_strings;
        if (strings && !part.strings_label.empty()) replace(begin, part.strings_label);
      } else if (ptx::begins_name(c)) {
        const std::string_view name = scanner.name();
        file_follows = name == "inlined_at";
        if (const auto found = part.renamed.find(name); found != part.renamed.end())
          replace(begin, found->second);
      } else {
        scanner.skip_token();
        const std::string_view token =
            std::string_view(statement).substr(begin, scanner.end_of_last() - begin);
        const auto found = file_follows ? part.files.find(token) : part.files.end();
        if (found != part.files.end()) replace(begin, found->second);
        file_follows = false;
        if (c == '{' && s.kind == Kind::debug_strings && !part.strings_label.empty())
          replace(begin, "{\n" + part.strings_label + ":");
      }
    }
    return result + statement.substr(copied);
  }

  std::span<const PtxModule> modules_;
  std::vector<Part> parts_;
  std::map<std::string_view, Symbol> definitions_;  ///< of what modules share
  std::set<const Statement*> first_named_;          ///< the .file statements that are kept
};

}  // namespace

Expected<std::string> link_ptx(std::span<const PtxModule> modules) { return Linker(modules).run(); }

}  // namespace warpbook::device
