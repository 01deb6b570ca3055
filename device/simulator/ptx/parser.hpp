// The parser proper: one pass over the text, no recursion but for initialisers and expressions,
// which are bounded.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "device/simulator/ptx/constant.hpp"
#include "device/simulator/ptx/module.hpp"
#include "device/simulator/ptx/names.hpp"
#include "device/simulator/ptx/scanner.hpp"

namespace warpbook::device::ptx {

class Parser {
 public:
  /// `module.text` holds the text.
  Parser(Module& module, std::string_view file_name);
  /// The module is whole only where this is true; else error() says why.
  bool run();
  /// Names the line of the source, too, if .loc gave it.
  [[nodiscard]] Error error() const;

 private:
  /// The kinds of things that a name can mean; the numbers are Meaning::kind.
  enum Kind : std::uint8_t {
    kRegister,
    kVariable,
    kParameter,
    kResult,
    kModuleVariable,
    kFunction,
    kRange,
    kLabel,
    kTable
  };

  /// .extern, .visible and so on, before the declaration to which they belong.
  struct Linkage {
    bool external = false, visible = false, weak = false;
  };
  /// The part of a declaration between the state space and the names.
  struct Declaration {
    StateSpace space{};
    Type type = Type::none;
    std::uint32_t lanes = 1;
    std::uint32_t alignment = 0;  ///< 0: not said
    bool managed = false;
    Linkage linkage;
  };
  /// %r<N>, of which only the registers that are named come to be.
  struct Range {
    std::uint64_t count = 0;
    Type type = Type::none;
    std::uint8_t lanes = 1;
  };
  /// Where an initialiser is being written.
  struct Initial {
    Variable& variable;
    std::vector<std::uint64_t> sizes;    ///< of each dimension; 0 for a first one that was left out
    std::vector<std::uint64_t> strides;  ///< elements in one step of each dimension
    std::uint64_t total = 0;             ///< elements in all; 0: as many as are written
    std::uint64_t reached = 0;           ///< one past the last element written
  };
  /// A name that may be declared further on: an operand's, or one target of a table.
  struct Pending {
    std::string_view name;
    std::uint32_t index;           ///< into Module::operands, or Function::tables
    std::uint32_t target = kNone;  ///< into Table::labels; kNone: an operand
    bool label_only = false;
  };

  // parser.cpp: the module
  void statement_of_module();
  void private_of_module(StateSpace space);
  void declare_private_of_module();
  void alias();
  void finish();
  void settle_in_module(const Pending& pending);
  void settle_aliases();

  // parser_dialect.cpp: the module's version and target
  void version();
  void target();
  void architecture(std::string_view name, std::uint32_t place);
  [[nodiscard]] std::uint32_t version_number() const;  ///< 708 for 7.8
  /// Fails at `place` where the module's version or target has no `name`, a feature of the table there. Every module
  /// has the features that are not in it.
  void needs(std::uint32_t place, std::string_view name);
  void pragma(bool in_function);

  // parser_function.cpp: heads of functions
  void function(Linkage linkage, bool entry);
  void attributes_of_function();
  void features_of_parameters(std::uint32_t place);
  void function_directives(Function& function);
  void function_directive(Word word, std::string_view text, Function& function);
  void conflicts_of(const Function& function, const std::vector<Word>& seen, std::uint32_t place);
  void three(std::uint32_t (&out)[3]);
  /// Makes the name known; the function's index.
  std::uint32_t name_function(std::string_view name);

  // parser_declare.cpp: variables and registers
  /// True for .reg, .global and the other state spaces.
  static bool state_space_of(Word word, StateSpace& space);
  void linkage_word(Word word, std::uint32_t place, Linkage& linkage);
  /// Behind the state space, up to the first name.
  Declaration declaration(StateSpace space, Linkage linkage);
  void attributes(Declaration& declaration);
  void features_of_type(Type type, std::uint32_t place);
  std::uint32_t alignment();
  /// The names of one declaration, with the semicolon.
  void declare_all(const Declaration& declaration, bool in_function);
  [[nodiscard]] bool parameters_in_body() const;
  void declare_register(const Declaration& declaration, std::string_view name);
  std::uint32_t add_register(std::string_view name, Type type, std::uint8_t lanes);
  /// Behind the name: dimensions and, where allowed, an initialiser.
  Variable variable(const Declaration& declaration, std::string_view name, bool may_initialise);
  void dimensions(Variable& variable, Initial& initial, std::uint64_t lanes);
  void add_module_variable(Variable&& variable);
  /// ( .param ..., .reg ... ): of a function or a prototype.
  std::vector<Variable> parameters();
  void bind_parameters(std::vector<Variable>& parameters, Kind kind);

  // parser_declare.cpp: initial values
  void initialiser(Initial& initial);
  void initial_list(Initial& initial, std::size_t level, std::uint64_t first);
  void initial_value(Initial& initial, std::uint64_t element);
  void initial_address(Variable::Address& address);
  /// The bytes of an element, made if need be; null after a failure.
  std::uint8_t* initial_bytes(Initial& initial, std::uint64_t element);

  // parser_function.cpp: statements and operands
  void open_scope();
  void close_scope();
  /// True where a label or table of the innermost scope has the name.
  bool settle(const Pending& pending);
  void body();
  void statement();
  void directive_in_body();
  void label(std::string_view name, std::uint32_t place);
  void table(Table& table);
  void instruction();
  void guard(Instruction& instruction);
  /// Moves the operands from `mark` on to the module; the first one's index.
  std::uint32_t keep_operands(std::size_t mark);

  // parser_operands.cpp
  void operands(bool labels_only);
  void call_operands();
  void operand(bool label_only);
  void list_of_operands(char close, Operand& out);
  void address(Operand& out);
  void address_base(Operand& out);
  void named_operand(Operand& out, bool label_only);
  void resolve(Operand& out, std::string_view name);
  void array_element(Operand& out, std::string_view name);
  void component(Operand& out);
  bool find_register(std::string_view name, std::uint32_t& index);
  void settle_elements(Word opcode);
  void unwrap_single(Word opcode);
  void spread_vector(Operand& out);
  void constant_operand(Operand& out);

  // parser_debug.cpp: places in the source
  void file();
  void location();
  void section();
  std::uint32_t plain_number(std::string_view what);
  std::uint32_t file_index(std::uint32_t number);
  std::uint32_t add_location(const Location& location);
  void name_inlined_functions();

  [[nodiscard]] std::uint32_t place_of(std::string_view view) const {
    return static_cast<std::uint32_t>(view.data() - module_.text->data());
  }

  /// Operand::index of a label that is still to be found, where nothing else than a label will do.
  static constexpr std::uint32_t kLabelOnly = kNone - 1;
  static constexpr int kMaxListDepth = 8;

  Module& module_;
  Scanner scanner_;
  Function function_;  ///< whose header or body is being read
  Names names_;        ///< registers, variables, functions
  Names ranges_;       ///< by prefix: "%r" of %r<N>
  Names labels_;       ///< and tables
  std::vector<Range> range_list_;
  std::vector<std::uint32_t> ranges_by_depth_;  ///< how many ranges each open scope declares
  std::vector<Operand> scratch_;                ///< of the instruction being read
  int list_depth_ = 0;
  std::vector<Pending> pending_;             ///< of the open scopes
  std::vector<std::size_t> pending_marks_;   ///< where each open scope's own begin
  std::vector<Pending> pending_in_module_;   ///< outside of functions
  std::vector<std::string_view> mentioned_;  ///< by initialisers and .calltargets
  struct Alias {
    std::string_view name, target;
  };
  std::vector<Alias> aliases_;
  std::vector<std::pair<StateSpace, Scanner::Mark>>
      module_private_;  ///< each declaration's space, and where it goes on
  std::uint64_t initial_budget_ = 0;

  std::uint32_t location_ = kNone;
  std::unordered_map<std::uint64_t, std::uint32_t> file_by_number_;
  std::unordered_map<std::uint64_t, std::uint32_t> location_by_hash_;
  std::unordered_map<std::uint64_t, std::uint32_t>
      latest_location_;  ///< by the hash of its file, line and column
  struct InlinedName {
    std::uint32_t location;
    std::string_view label;
    std::uint64_t addend;
  };
  std::vector<InlinedName> inlined_names_;
  std::unordered_map<std::string_view, std::uint64_t> debug_labels_;
  std::string debug_strings_;
};

}  // namespace warpbook::device::ptx
