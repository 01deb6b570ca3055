#include "device/simulator/isa/decode.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "device/simulator/isa/decoder.hpp"
#include "device/simulator/isa/instruction_table.hpp"
#include "device/simulator/isa/issue.hpp"

namespace warpbook::device::isa {
namespace {

constexpr std::uint32_t kRowAlignment = 64;
constexpr std::uint64_t kLocalLimit =
    512u
    << 10;  ///< bytes per thread, of every GPU (CUDA C++ Programming Guide, "Compute Capabilities")
constexpr std::uint64_t kParameterLimit = 32764;  ///< bytes (PTX ISA 9.0, 5.1.6)

std::uint32_t aligned(std::uint32_t value, std::uint32_t to = kRowAlignment) {
  return (value + to - 1) / to * to;
}

Dialect dialect_of(const ptx::Module& module) {
  return {100 * module.version_major + module.version_minor, module.target};
}

Error in_other_dialects(const ptx::Module& module, const ptx::Instruction& i) {
  const std::string reason = fmt::format("PTX {}.{} does not have it for sm_{}",
                                         module.version_major, module.version_minor, module.target);
  return {ErrorCode::ptx_left_out,
          {{"instruction", std::string(module.text_of(i))}, {"reason", reason}},
          place_of(module, i)};
}

constexpr int kDeepestCalls = 1024;  ///< no launch calls deeper, so the search need not either

/// The local memory of the deepest chain of calls from `function` on. Sets `recursive` where the calls form a cycle, or the
/// chain is too long to be followed.
std::uint32_t local_depth(const Code& code, const std::vector<std::vector<std::uint32_t>>& callees,
                          std::uint32_t function, std::vector<std::uint8_t>& state,
                          std::vector<std::uint32_t>& depth, bool& recursive, int level = 0) {
  if (state[function] == 1 || level > kDeepestCalls) {
    recursive = true;
    return 0;
  }
  if (state[function] == 2) return depth[function];
  state[function] = 1;
  std::uint32_t below = 0;
  for (const std::uint32_t callee : callees[function]) {
    below = std::max(below, local_depth(code, callees, callee, state, depth, recursive, level + 1));
  }
  state[function] = 2;
  return depth[function] = below + code.functions[function].local_bytes;
}

}  // namespace

void FunctionDecoder::unsupported(const Instruction& i) const {
  const InstructionRow* row = row_of(i.opcode, module_.modifiers_of(i));
  if (row && !row->reason.empty()) {
    throw Error{
        ErrorCode::ptx_left_out,
        {{"instruction", std::string(module_.text_of(i))}, {"reason", std::string(row->reason)}},
        place_of(module_, i)};
  }
  throw Error{ErrorCode::ptx_unsupported,
              {{"instruction", std::string(module_.text_of(i))}},
              place_of(module_, i)};
}

void FunctionDecoder::needs(Dialect first) const {
  const Dialect own = dialect_of(module_);
  if (own.version < first.version || own.target < first.target)
    throw in_other_dialects(module_, function_.instructions[current_]);
}

void FunctionDecoder::unresolved(const Instruction& i, std::string_view name) const {
  throw Error{ErrorCode::ptx_unresolved, {{"name", std::string(name)}}, place_of(module_, i)};
}

void FunctionDecoder::too_large(std::string_view limit) const {
  throw Error{ErrorCode::ptx_limit,
              {{"why", Message{std::string(limit), {{"name", std::string(function_.name)}}}}},
              {"PTX", function_.ptx_line, 0}};
}

void FunctionDecoder::lay_frame_out() {
  std::uint64_t local = 0, parameters = 0;
  const auto add = [&](const std::vector<ptx::Variable>& variables) {
    for (const ptx::Variable& v : variables) {
      if (v.space == ptx::StateSpace::local)
        local = std::min(local + v.bytes + v.alignment, kLocalLimit + 1);
      if (v.bytes > kParameterLimit && v.space == ptx::StateSpace::param) parameters = v.bytes;
    }
  };
  add(function_.parameters);
  add(function_.returns);
  add(function_.variables);
  if (local > kLocalLimit) too_large("phrase.limit.local-memory");
  if (parameters != 0) too_large("phrase.limit.parameter");
  predicates_ = kRowAlignment;  // the condition code of carry chains comes before them
  const auto& n = slots_.slots;
  if (std::uint64_t{8} * n[0] + std::uint64_t{132} * n[1] + std::uint64_t{260} * n[2] +
          std::uint64_t{516} * n[3] + std::uint64_t{68} * (std::uint64_t{n[4]} + n[5]) >
      kFrameLimit) {
    too_large("phrase.limit.registers");
  }
  masks_ = aligned(predicates_ + 4 * n[0]);
  slots_count_ = n[0] + n[1] + n[2] + n[3] + n[4] + n[5];
  narrow_ = aligned(masks_ + 4 * slots_count_);
  wide_ = narrow_ + 128 * n[1];
  quad_ = wide_ + 256 * n[2];
  half_ = quad_ + 512 * n[3];
  byte_ = half_ + 64 * n[4];
  top_ = byte_ + 64 * n[5];
  for (const ptx::Variable& v : function_.parameters) {
    if (!entry_) parameter_place(v);
  }
  find_addressed_parameters();
  for (const ptx::Variable& v : function_.returns) parameter_place(v);
  for (const ptx::Variable& v : function_.variables) {
    if (v.space == ptx::StateSpace::param) parameter_place(v);
    if (v.space == ptx::StateSpace::local) {
      local_bytes_ = (local_bytes_ + v.alignment - 1) / v.alignment * v.alignment;
      locals_[&v] = local_bytes_;
      local_bytes_ += static_cast<std::uint32_t>(v.bytes);
    }
  }
  local_bytes_ = aligned(local_bytes_, 16);
  call_places_ = top_ = aligned(top_);
  top_ += kCallPlaceBytes * registers_in_calls();
  if (top_ > kFrameLimit) too_large("phrase.limit.arguments");
  scratch_ = top_ = aligned(top_);
  top_ += 512;
  temporaries_ = top_;
  constants_base_ = top_ += kTemporaryBytes * temporaries();
}

void FunctionDecoder::finish_frame() {
  CodeFunction& f = code_.functions[self_];
  f.constants_begin = constants_base_;
  for (const auto& [offset, bytes] : constant_rows_)
    f.constants.insert(f.constants.end(), bytes.begin(), bytes.end());
  f.constants_end = f.constants_begin + static_cast<std::uint32_t>(f.constants.size());
  f.frame_bytes = aligned(f.constants_end);
  if (f.frame_bytes > kFrameLimit) too_large("phrase.limit.registers-and-constants");
  f.defined_begin = masks_;
  f.defined_end = masks_ + 4 * slots_count_;
  f.local_bytes = local_bytes_;
  for (const ptx::Variable& v : function_.parameters) {
    if (!entry_) f.parameters.push_back(places_.at(&v));
  }
  for (const ptx::Variable& v : function_.returns) f.returns.push_back(places_.at(&v));
  // Rows that a path may read before it writes them start as zeros, so that the values in an illegal program are at least
  // always the same.
  for (std::uint32_t r = 0; r < function_.registers.size(); ++r) {
    if (slots_.slot[r] == ptx::kNone || !slots_.unwritten[r]) continue;
    const std::uint32_t row = row_of_register(r);
    const std::uint32_t sizes[] = {4, 128, 256, 512, 64, 64};
    f.cleared.emplace_back(row,
                           sizes[static_cast<std::size_t>(slot_class_of(function_.registers[r]))]);
    const bool is_parameter = std::ranges::find(function_.parameters, r, &ptx::Variable::reg) !=
                              function_.parameters.end();
    const std::uint32_t mask = undefined_mask(row);
    if (!is_parameter && mask != kNone) f.unwritten.push_back(mask);
  }
}

void FunctionDecoder::begin_block(std::uint32_t first_instruction) {
  Pending p;
  p.first_operation = static_cast<std::uint32_t>(operations_->size());
  p.block.function = self_;
  p.block.first_instruction = code_index_;
  p.block.rank = first_instruction < flow_.rank.size() ? flow_.rank[first_instruction] : ~0u;
  if (first_instruction < block_at_.size()) {
    block_at_[first_instruction] =
        static_cast<std::uint32_t>(code_.blocks.size() + pending_.size());
  }
  pending_.push_back(p);
  code_.exits.emplace_back();
}

/// Begins a basic block without an instruction of the program: the copies of parameters around a call.
void FunctionDecoder::begin_hidden_block(std::uint32_t rank_of_instruction) {
  Pending p;
  p.first_operation = static_cast<std::uint32_t>(operations_->size());
  p.block.function = self_;
  p.block.first_instruction = code_index_;
  p.block.rank = rank_of_instruction < flow_.rank.size() ? flow_.rank[rank_of_instruction] : ~0u;
  pending_.push_back(p);
  code_.exits.emplace_back();
}

void FunctionDecoder::end_block(Exit exit, std::uint32_t detail, bool counts) {
  Pending& p = pending_.back();
  BasicBlock& b = p.block;
  b.operations = static_cast<std::uint32_t>(operations_->size()) - p.first_operation;
  closed_ = true;
  b.exit = exit;
  b.detail = detail;
  b.exit_counts = counts;
  if (counts) {
    const Instruction& i = function_.instructions[current_];
    if (i.guarded) {
      b.guard = row_of_register(i.guard);
      b.guard_negated = i.guard_negated;
      code_.exits.back().reads.push_back(undefined_mask(b.guard));
    } else {
      ++b.unguarded;
    }
  }
  p.source_next = current_ + 1;
}

void FunctionDecoder::emit(const DecodedInstruction& o, bool hidden) {
  const Instruction& i = function_.instructions[current_];
  DecodedInstruction op = o;
  op.index = code_index_;
  if (i.guarded) {
    code_.guarded.push_back(std::make_unique<DecodedInstruction>(op));
    DecodedInstruction outer;
    outer.full = outer.masked = handlers_.common.guarded;
    outer.guard = row_of_register(i.guard);
    outer.guard_negated = i.guard_negated;
    outer.index = code_index_;
    outer.guarded.hidden = hidden;
    outer.immediate =
        static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(code_.guarded.back().get()));
    read(outer.guard);
    operations_->push_back(outer);
    return;
  }
  operations_->push_back(op);
}

void FunctionDecoder::read(std::uint32_t row) {
  const std::uint32_t mask = undefined_mask(row);
  if (mask != kNone) code_.dependences[code_index_].reads.push_back(mask);
}

void FunctionDecoder::write(std::uint32_t row) {
  const std::uint32_t mask = undefined_mask(row);
  if (mask != kNone) code_.dependences[code_index_].writes.push_back(mask);
}

void FunctionDecoder::instruction(const Instruction& i) {
  // An instruction without a form in the table is refused here, so the functions below only need to tell forms apart.
  const FormMatch form = find_form(i.opcode, module_.modifiers_of(i), dialect_of(module_));
  if (form.has == HasForm::elsewhere) throw in_other_dialects(module_, i);
  if (form.has == HasForm::no) unsupported(i);
  family_ = form.row->family;
  next_temporary_ = 0;
  if (i.opcode != Word::mov && i.opcode != Word::cvt &&
      std::ranges::any_of(operands(i),
                          [](const Operand& o) { return o.kind == Operand::Kind::special; }))
    unsupported(i);
  if (asynchronous(i) || cluster(i) || control(i) || memory(i) || texture(i) || convert_packed(i) ||
      stack(i) || video(i) || plain(i))
    return;
  unsupported(i);
}

void FunctionDecoder::run() {
  flow_ = find_flow(module_, function_);
  slots_ = assign_slots(module_, function_, flow_);
  lay_frame_out();
  CodeFunction& self = code_.functions[self_];
  self.entry = static_cast<std::uint32_t>(code_.blocks.size());
  operations_ = &code_.operations[self_];
  block_at_.assign(function_.instructions.size() + 1, kNone);

  const auto count = static_cast<std::uint32_t>(function_.instructions.size());
  const std::vector<Issue> issues = issued_with(module_, function_, flow_, shared_);
  const auto first_instruction = static_cast<std::uint32_t>(code_.instructions.size());
  bool open = false;
  current_ = 0;
  take_parameters();
  for (current_ = 0; current_ < count; ++current_) {
    const Instruction& i = function_.instructions[current_];
    code_index_ = static_cast<std::uint32_t>(code_.instructions.size());
    const bool leader = flow_.blocks[flow_.block_of[current_]].first == current_;
    if (open && leader) {
      // The preceding block falls through into this one.
      --current_;
      end_block(Exit::fall, kNone, false);
      ++current_;
      open = false;
    }
    if (!open) begin_block(current_);
    open = true;
    CodeInstruction info;
    info.source = &i;
    info.function = self_;
    info.issued_with = first_instruction + issues[current_].leader;
    info.issued_offset = issues[current_].offset;
    info.issued_bytes = issues[current_].bytes;
    code_.instructions.push_back(info);
    code_.dependences.emplace_back();
    ++pending_.back().block.instructions;
    closed_ = false;
    instruction(i);
    if (closed_) {
      open = false;
    } else if (i.guarded) {
      code_.instructions[code_index_].guarded_operation = true;
    } else {
      ++pending_.back().block.unguarded;
    }
    if (const CodeInstruction& made = code_.instructions[code_index_];
        made.load && (made.space == StateSpace::global || made.space == StateSpace::generic))
      pending_.back().block.fetched_bytes += made.access_bytes;
    if (open && form_.split && code_.instructions[code_index_].memo != kNone) {
      end_block(Exit::fall, kNone, false);
      open = false;
    }
  }
  // Code that runs past its end returns.
  current_ = count == 0 ? 0 : count - 1;
  if (open) {
    end_block(Exit::fall, kNone, false);
  }
  code_index_ = static_cast<std::uint32_t>(code_.instructions.size());
  begin_block(count);
  ret(true);
  pending_.back().block.operations =
      static_cast<std::uint32_t>(operations_->size()) - pending_.back().first_operation;
  pending_.back().block.exit = entry_ ? Exit::exit : Exit::ret;
  pending_.back().source_next = ptx::kNone;
  link_blocks();
  finish_frame();
  mark_validated_loads();
}

void FunctionDecoder::link_blocks() {
  for (Pending& p : pending_) {
    BasicBlock& b = p.block;
    if (p.next_follows) {
      b.next = static_cast<std::uint32_t>(code_.blocks.size() + 1);
      p.source_next = ptx::kNone;
    }
    b.first = operations_->data() + p.first_operation;
    if (p.source_next != ptx::kNone)
      b.next = block_at_[std::min<std::uint32_t>(p.source_next,
                                                 static_cast<std::uint32_t>(block_at_.size() - 1))];
    if (p.source_target != ptx::kNone) b.target = block_at_[p.source_target];
    code_.blocks.push_back(b);
  }
  for (BranchDetail& d : code_.branches) {
    for (std::uint32_t& block : d.blocks) {
      if (block & kUnlinked) block = block_at_[block & ~kUnlinked];
    }
  }
}

Expected<std::shared_ptr<const Code>> decode(const ptx::Module& module, std::uint32_t kernel,
                                             const Placement& placement,
                                             const HandlerBuild& handlers, CodeForm form) {
  auto code = std::make_shared<Code>();
  const std::vector<std::uint32_t> sources = reachable_functions(module, kernel);
  const SharedLayout shared = lay_shared_out(module, sources);
  code->static_shared = shared.static_bytes;
  code->dynamic_shared_offset = shared.dynamic_offset;
  code->function_of_source.assign(module.functions.size(), kNone);
  for (const std::uint32_t source : sources) {
    if (module.functions[source].external) continue;
    code->function_of_source[source] = static_cast<std::uint32_t>(code->functions.size());
    code->functions.emplace_back();
    code->functions.back().source = source;
  }
  code->operations.resize(code->functions.size());
  try {
    for (std::uint32_t f = 0; f < code->functions.size(); ++f) {
      FunctionDecoder decoder(module, code->functions[f].source, f, placement, shared, handlers,
                              form, f == 0, *code);
      decoder.run();
    }
  } catch (const Error& error) {
    return tl::unexpected(error);
  }
  std::vector<std::vector<std::uint32_t>> callees(code->functions.size());
  bool recursive = false;
  for (const BasicBlock& b : code->blocks) {
    if (b.exit != Exit::call) continue;
    const CallDetail& call = code->calls[b.detail];
    if (call.function != kNone) callees[b.function].push_back(call.function);
    if (call.external == External::none && call.function == kNone) recursive = true;
  }
  std::vector<std::uint8_t> state(callees.size());
  std::vector<std::uint32_t> depth(callees.size());
  code->local_bytes = local_depth(*code, callees, 0, state, depth, recursive);
  code->recursive = recursive;
  return std::shared_ptr<const Code>(std::move(code));
}

}  // namespace warpbook::device::isa
