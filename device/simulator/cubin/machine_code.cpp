// Machine instructions are 16 bytes from sm_70 on. The opcode is the low 9 bits of the first. The section
// .nv_debug_line_sass holds line programs of DWARF 2 (6.2) whose "file" is the PTX text; the address where each begins is
// a relocation against the symbol of its .text section. Neither is documented by NVIDIA; found with NVRTC 13.0.
#include "device/simulator/cubin/machine_code.hpp"

#include <algorithm>
#include <array>

#include "device/simulator/cubin/elf.hpp"

namespace warpbook::device {
namespace {

constexpr std::uint64_t kInstructionBytes = 16;
constexpr std::uint16_t kOpcodeMask = 0x1ff;
constexpr std::uint32_t kSymbolTable = 2;  // SHT_SYMTAB
constexpr std::uint16_t kLdg = 0x181, kLds = 0x184, kLdsm = 0x03b, kStg = 0x186, kSts = 0x188,
                        kBranch = 0x147;

struct Opcode {
  std::uint16_t code;
  std::string_view name;
};
constexpr std::array kOpcodes = std::to_array<Opcode>(
    {{0x002, "MOV"},     {0x003, "P2R"},       {0x004, "R2P"},       {0x005, "CS2R"},
     {0x006, "VOTE"},    {0x007, "SEL"},       {0x008, "FSEL"},      {0x009, "FMNMX"},
     {0x00b, "FSETP"},   {0x00c, "ISETP"},     {0x010, "IADD3"},     {0x011, "LEA"},
     {0x012, "LOP3"},    {0x013, "IABS"},      {0x016, "PRMT"},      {0x017, "IMNMX"},
     {0x019, "SHF"},     {0x01c, "PLOP3"},     {0x020, "FMUL"},      {0x021, "FADD"},
     {0x023, "FFMA"},    {0x024, "IMAD"},      {0x025, "IMAD"},      {0x026, "IDP"},
     {0x027, "IMAD"},    {0x028, "DMUL"},      {0x029, "DADD"},      {0x02a, "DSETP"},
     {0x02b, "DFMA"},    {0x030, "HADD2"},     {0x031, "HFMA2"},     {0x032, "HMUL2"},
     {0x034, "HSETP2"},  {0x036, "VIADD"},     {kLdsm, "LDSM"},      {0x03c, "HMMA"},
     {0x040, "HMNMX2"},  {0x045, "I2FP"},      {0x046, "VIADDMNMX"}, {0x048, "VIMNMX"},
     {0x04a, "UVIMNMX"}, {0x082, "UMOV"},      {0x086, "VOTEU"},     {0x08c, "UISETP"},
     {0x090, "UIADD3"},  {0x091, "ULEA"},      {0x092, "ULOP3"},     {0x096, "UPRMT"},
     {0x099, "USHF"},    {0x0a4, "UIMAD"},     {0x0a5, "UIMAD"},     {0x0b9, "ULDC"},
     {0x0cb, "CS2UR"},   {0x100, "FLO"},       {0x101, "BREV"},      {0x102, "FCHK"},
     {0x105, "F2I"},     {0x106, "I2F"},       {0x108, "MUFU"},      {0x109, "POPC"},
     {0x110, "F2F"},     {0x111, "F2I"},       {0x112, "I2F"},       {0x118, "NOP"},
     {0x119, "S2R"},     {0x11a, "DEPBAR"},    {0x11d, "BAR"},       {0x141, "BSYNC"},
     {0x142, "BREAK"},   {0x144, "CALL"},      {0x145, "BSSY"},      {0x146, "YIELD"},
     {kBranch, "BRA"},   {0x148, "WARPSYNC"},  {0x149, "BRX"},       {0x14d, "EXIT"},
     {0x150, "RET"},     {0x155, "BMOV"},      {0x15c, "BPT"},       {0x15d, "NANOSLEEP"},
     {0x160, "TEX"},     {kLdg, "LDG"},        {0x182, "LDC"},       {0x183, "LDL"},
     {kLds, "LDS"},      {kStg, "STG"},        {0x187, "STL"},       {kSts, "STS"},
     {0x189, "SHFL"},    {0x18c, "ATOMS"},     {0x18d, "ATOMS"},     {0x18e, "RED"},
     {0x18f, "CCTL"},    {0x192, "MEMBAR"},    {0x1a1, "MATCH"},     {0x1a6, "REDG"},
     {0x1a8, "ATOMG"},   {0x1a9, "ATOMG"},     {0x1ab, "ERRBAR"},    {0x1ac, "LDCU"},
     {0x1ae, "LDGSTS"},  {0x1af, "LDGDEPBAR"}, {0x1c2, "R2UR"},      {0x1c3, "S2UR"},
     {0x1c4, "REDUX"}});

struct MachineCodeRow {
  std::uint64_t address = 0;
  std::uint32_t line = 0;
};

/// What an instruction's 128 bits say of when it may issue: bits 105 to 125, as in every architecture from sm_70 to sm_90
/// (read off nvdisasm's listings; NVIDIA does not document them).
MachineInstruction decoded(std::uint64_t low, std::uint64_t high, std::uint32_t architecture) {
  constexpr std::uint32_t kHopper = 90;
  MachineInstruction i;
  i.opcode = static_cast<std::uint16_t>(low & kOpcodeMask);
  i.stall = static_cast<std::uint8_t>(high >> 41 & 0xf);
  i.write_barrier = static_cast<std::uint8_t>(high >> 46 & 7);
  i.read_barrier = static_cast<std::uint8_t>(high >> 49 & 7);
  i.wait_mask = static_cast<std::uint8_t>(high >> 52 & 0x3f);
  if (i.opcode != kBranch) return i;
  // From the next instruction, in bytes; from sm_90 on in words, whose low byte is separate.
  auto bytes = static_cast<std::int64_t>(static_cast<std::int32_t>(low >> 32));
  if (architecture >= kHopper)
    bytes = ((static_cast<std::int64_t>(low) >> 34) * 256 +
             static_cast<std::int64_t>(low >> 16 & 0xff)) *
            4;
  const std::int64_t jump = bytes / static_cast<std::int64_t>(kInstructionBytes) + 1;
  if (jump > -(1 << 24) && jump < (1 << 24)) i.jump = static_cast<std::int32_t>(jump);
  return i;
}

/// One table of line programs, read front to back.
class LineReader {
 public:
  explicit LineReader(Bytes bytes) : bytes_(bytes) {}

  template <class T>
  T take() {
    const auto value = bytes_.at<T>(at_);
    sound_ &= value.has_value();
    at_ += sizeof(T);
    return value.value_or(T{});
  }
  std::uint64_t take_unsigned() {
    std::uint64_t value = 0;
    for (std::uint32_t shift = 0; sound_; shift += 7) {
      const auto byte = take<std::uint8_t>();
      if (shift < 64) value |= std::uint64_t{byte & 0x7fu} << shift;
      if ((byte & 0x80) == 0) break;
    }
    return value;
  }
  std::int64_t take_signed() {
    std::uint64_t value = 0;
    std::uint32_t shift = 0;
    std::uint8_t byte = 0x80;
    while (sound_ && (byte & 0x80) != 0) {
      byte = take<std::uint8_t>();
      if (shift < 64) value |= std::uint64_t{byte & 0x7fu} << shift;
      shift += 7;
    }
    if ((byte & 0x40) != 0 && shift < 64) value |= ~std::uint64_t{0} << shift;
    return static_cast<std::int64_t>(value);
  }
  [[nodiscard]] bool sound() const { return sound_; }
  [[nodiscard]] std::uint64_t at() const { return at_; }
  void go(std::uint64_t to) { at_ = to; }
  [[nodiscard]] bool ended() const { return !sound_ || at_ >= bytes_.size(); }

 private:
  Bytes bytes_;
  std::uint64_t at_ = 0;
  bool sound_ = true;
};

/// Offset in .nv_debug_line_sass of an address -> the section that it points to.
std::optional<std::map<std::uint64_t, std::uint16_t>> sections_at(const Elf& elf) {
  // Up to sm_89 without addends (SHT_REL), from sm_90 on with (SHT_RELA); both begin alike, and the addends are 0.
  const ElfSection* plain = elf.section(".rel.nv_debug_line_sass");
  const ElfSection* relocations = plain ? plain : elf.section(".rela.nv_debug_line_sass");
  const auto symbol_table = std::ranges::find(elf.sections, kSymbolTable, &ElfSection::type);
  if (!relocations || symbol_table == elf.sections.end()) return std::nullopt;
  const auto list = elf.contents(*relocations), symbols = elf.contents(*symbol_table);
  if (!list || !symbols) return std::nullopt;
  const std::uint64_t step = plain ? sizeof(ElfRelocation) : sizeof(ElfRelocation) + 8;
  std::map<std::uint64_t, std::uint16_t> result;
  for (std::uint64_t at = 0; at + step <= list->size(); at += step) {
    const auto relocation = list->at<ElfRelocation>(at);
    const auto symbol = symbols->at<ElfSymbol>((relocation->info >> 32) * sizeof(ElfSymbol));
    if (!symbol) return std::nullopt;
    result[relocation->offset] = symbol->section;
  }
  return result;
}

/// The rows of section `wanted`, by address.
std::optional<std::vector<MachineCodeRow>> rows_of(const Elf& elf, std::uint16_t wanted) {
  const ElfSection* table = elf.section(".nv_debug_line_sass");
  const auto targets = sections_at(elf);
  const auto bytes = table ? elf.contents(*table) : std::nullopt;
  if (!bytes || !targets) return std::nullopt;
  std::vector<MachineCodeRow> rows;
  LineReader in(*bytes);
  while (!in.ended()) {
    const auto unit_bytes = in.take<std::uint32_t>();
    const std::uint64_t end = in.at() + unit_bytes;
    in.take<std::uint16_t>();  // version
    const auto header_bytes = in.take<std::uint32_t>();
    const std::uint64_t program = in.at() + header_bytes;
    const std::uint64_t step = in.take<std::uint8_t>();
    in.take<std::uint8_t>();  // whether rows are statements
    const auto line_base = in.take<std::int8_t>();
    const auto line_range = in.take<std::uint8_t>();
    const auto first_special = in.take<std::uint8_t>();
    if (line_range == 0 || end > bytes->size() || program > end || step == 0) return std::nullopt;
    in.go(program);
    MachineCodeRow row{0, 1};
    bool ours = false;
    const auto emit = [&] {
      if (ours) rows.push_back(row);
    };
    while (in.sound() && in.at() < end) {
      const auto opcode = in.take<std::uint8_t>();
      if (opcode >= first_special) {
        const int special = opcode - first_special;
        row.address += static_cast<std::uint64_t>(special / line_range) * step;
        row.line += static_cast<std::uint32_t>(line_base + special % line_range);
        emit();
        continue;
      }
      switch (opcode) {
        case 0: {  // extended: its length, then its code
          const std::uint64_t length = in.take_unsigned(), begin = in.at();
          if (length > end - std::min(begin, end)) return std::nullopt;
          const auto code = in.take<std::uint8_t>();
          if (code == 1) {  // DW_LNE_end_sequence: nothing belongs to what follows
            row.line = 0;
            emit();
            row = {0, 1};
            ours = false;
          } else if (code == 2) {  // DW_LNE_set_address
            const auto target = targets->find(begin + 1);
            ours = target != targets->end() && target->second == wanted;
            row.address = 0;
          }
          in.go(begin + length);
          break;
        }
        case 1: emit(); break;                                                    // DW_LNS_copy
        case 2: row.address += in.take_unsigned() * step; break;                  // advance_pc
        case 3: row.line += static_cast<std::uint32_t>(in.take_signed()); break;  // advance_line
        case 4:
        case 5: in.take_unsigned(); break;  // set_file, set_column
        case 8:
          row.address += static_cast<std::uint64_t>((255 - first_special) / line_range) * step;
          break;
        case 9: row.address += in.take<std::uint16_t>(); break;  // fixed_advance_pc
        default: break;                                          // 6, 7, 10, 11: no operands
      }
    }
    if (!in.sound()) return std::nullopt;
    in.go(end);
  }
  std::ranges::stable_sort(rows, {}, &MachineCodeRow::address);
  return rows;
}

}  // namespace

const MachineLine* MachineCode::at(std::uint32_t ptx_line) const {
  const auto found = std::ranges::lower_bound(lines, ptx_line, {}, &MachineLine::ptx_line);
  return found != lines.end() && found->ptx_line == ptx_line ? &*found : nullptr;
}

std::string_view opcode_name(std::uint16_t opcode) {
  const auto found = std::ranges::find(kOpcodes, opcode, &Opcode::code);
  return found == kOpcodes.end() ? std::string_view() : found->name;
}

std::optional<MachineCode> read_machine_code(const Elf& elf, std::string_view text) {
  const ElfSection* section = elf.section(text);
  const auto words = section ? elf.contents(*section) : std::nullopt;
  if (!words) return std::nullopt;
  const auto rows = rows_of(elf, static_cast<std::uint16_t>(section - elf.sections.data()));
  if (!rows) return std::nullopt;
  MachineCode code;
  std::map<std::uint32_t, MachineLine> lines;
  auto row = rows->begin();
  for (std::uint64_t at = 0; at + kInstructionBytes <= words->size(); at += kInstructionBytes) {
    MachineInstruction& instruction = code.instructions.emplace_back(decoded(
        *words->at<std::uint64_t>(at), *words->at<std::uint64_t>(at + 8), elf.flags >> 8 & 0xff));
    const std::uint16_t opcode = instruction.opcode;
    ++code.opcodes[opcode];
    while (row != rows->end() && std::next(row) != rows->end() && std::next(row)->address <= at)
      ++row;
    if (row == rows->end() || row->address > at || row->line == 0) continue;
    instruction.ptx_line = row->line;
    MachineLine& line = lines[row->line];
    line.ptx_line = row->line;
    switch (opcode) {
      case kLdg: ++line.accesses.global_loads; break;
      case kStg: ++line.accesses.global_stores; break;
      case kLds:
      case kLdsm: ++line.accesses.shared_loads; break;  // rows of matrices are loads as well
      case kSts: ++line.accesses.shared_stores; break;
      case kBranch: ++line.branches; break;
      default: ++line.others; break;
    }
  }
  for (const auto& [number, line] : lines) code.lines.push_back(line);
  return code;
}

}  // namespace warpbook::device
