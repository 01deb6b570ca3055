// The properties on which the decoder may rely in every module that parses, whatever the text was.
#pragma once

#include <string>

#include "device/simulator/isa/flow.hpp"
#include "device/simulator/ptx/module.hpp"

namespace warpbook::device::ptx {

class WellFormed {
 public:
  explicit WellFormed(const Module& module) : module_(module) {}

  /// The first thing that is wrong; empty where nothing is.
  std::string complaint() {
    for (const Function& function : module_.functions) {
      check_function(function);
    }
    for (const Variable& variable : module_.variables) {
      check_variable(variable);
    }
    for (const Location& location : module_.locations) {
      check(location.file == kNone || location.file < module_.files.size(), "a location's file");
      check(location.inlined_at == kNone || location.inlined_at < module_.locations.size(),
            "a location's call");
    }
    for (const auto& [name, index] : module_.function_by_name) {
      check(index < module_.functions.size(), "a function's index");
    }
    for (const auto& [name, index] : module_.variable_by_name) {
      check(index < module_.variables.size(), "a variable's index");
    }
    return complaint_;
  }

 private:
  void check(bool holds, const char* what) {
    if (!holds && complaint_.empty()) {
      complaint_ = what;
    }
  }

  void check_variable(const Variable& variable) {
    check(variable.alignment != 0 && (variable.alignment & (variable.alignment - 1)) == 0,
          "an alignment");
    check(variable.initial.size() <= variable.bytes, "the size of an initial value");
    for (const Variable::Address& address : variable.addresses) {
      check(address.offset + address.bytes <= variable.initial.size(), "the place of an address");
      check(address.byte_of == 0xff || address.byte_of < 8, "the byte of an address");
    }
  }

  void check_function(const Function& function) {
    check(!function.name.empty(), "a function's name");
    check(function.labels.size() == function.label_names.size(), "the labels' names");
    for (const std::uint32_t label : function.labels) {
      check(label <= function.instructions.size(), "a label's place");
    }
    for (const Table& table : function.tables) {
      for (const std::uint32_t label : table.labels) {
        check(label < function.labels.size(), "a table's label");
      }
    }
    for (const auto* list : {&function.returns, &function.parameters, &function.variables}) {
      for (const Variable& variable : *list) {
        check_variable(variable);
        check(variable.reg == kNone || variable.reg < function.registers.size(),
              "a parameter's register");
      }
    }
    for (const Instruction& instruction : function.instructions) {
      check(instruction.text_begin < instruction.text_end &&
                instruction.text_end <= module_.text->size(),
            "a text");
      check(instruction.modifier_first + instruction.modifier_count <= module_.modifiers.size(),
            "modifiers");
      check(instruction.operand_first + instruction.operand_count <= module_.operands.size(),
            "operands");
      check(instruction.location == kNone || instruction.location < module_.locations.size(),
            "a location");
      check(!instruction.guarded || function.registers.at(instruction.guard).type == Type::pred,
            "a guard");
      if (!complaint_.empty()) {
        return;
      }
      for (const Operand& operand : module_.operands_of(instruction)) {
        check_operand(function, operand, 0);
      }
    }
    check_flow(function);
  }

  void check_operand(const Function& function, const Operand& operand, int depth) {
    using Kind = Operand::Kind;
    check(depth < 10, "the depth of operands");
    const bool holds_more =
        operand.kind == Kind::vector || operand.kind == Kind::list || operand.kind == Kind::address;
    if (holds_more) {
      check(operand.first + std::uint64_t{operand.count} <= module_.operands.size(),
            "nested operands");
      for (std::uint32_t i = 0; i < operand.count && complaint_.empty(); ++i) {
        check_operand(function, module_.operands[operand.first + i], depth + 1);
      }
    }
    const Kind kind = operand.kind == Kind::address ? operand.base : operand.kind;
    check(kind != Kind::none || operand.kind == Kind::address, "an operand's kind");
    check(kind != Kind::reg || operand.index < function.registers.size(), "a register");
    check(kind != Kind::label || operand.index < function.labels.size(), "a label");
    check(kind != Kind::table || operand.index < function.tables.size(), "a table");
    check(kind != Kind::special || operand.word != Word::unknown, "a special register");
    if (kind == Kind::symbol) {
      using Home = Operand::Home;
      const std::size_t size = operand.home == Home::variable          ? function.variables.size()
                               : operand.home == Home::parameter       ? function.parameters.size()
                               : operand.home == Home::result          ? function.returns.size()
                               : operand.home == Home::module_variable ? module_.variables.size()
                               : operand.home == Home::function        ? module_.functions.size()
                                                                       : 0;
      check(operand.index < size, "a symbol");
    }
  }

  void check_flow(const Function& function) {
    const isa::Flow flow = isa::find_flow(module_, function);
    check(flow.order.size() == flow.blocks.size(), "the order of the blocks");
    check(flow.rank.size() == function.instructions.size(), "the ranks");
    const isa::SlotMap map = isa::assign_slots(module_, function, flow);
    check(map.slot.size() == function.registers.size(), "the slots");
    for (std::size_t i = 0; i < map.slot.size(); ++i) {
      const auto of_class = static_cast<std::size_t>(isa::slot_class_of(function.registers[i]));
      check(map.slot[i] == kNone || map.slot[i] < map.slots[of_class], "a slot");
    }
  }

  const Module& module_;
  std::string complaint_;
};

}  // namespace warpbook::device::ptx
