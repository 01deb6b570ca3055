// tex, tld4, txq, suq, istypep, suld, sust and sured through texture and surface objects in 64-bit registers (PTX ISA
// 9.0, 9.7.10 and 9.7.11). Texture references at module scope and separate samplers are errors with names of
// their own.
#include <algorithm>

#include "device/simulator/isa/decoder.hpp"

namespace warpbook::device::isa {
namespace {

constexpr std::pair<Word, Geometry> kGeometries[] = {
    {Word::d1, Geometry::d1},       {Word::d2, Geometry::d2},     {Word::d3, Geometry::d3},
    {Word::a1d, Geometry::a1d},     {Word::a2d, Geometry::a2d},   {Word::cube, Geometry::cube},
    {Word::acube, Geometry::acube}, {Word::d2ms, Geometry::d2ms}, {Word::a2dms, Geometry::a2dms}};

bool take_geometry(Key& key, Geometry& g) {
  for (const auto& [word, geometry] : kGeometries) {
    if (key.take(word)) {
      g = geometry;
      return true;
    }
  }
  return false;
}

bool has_layer(Geometry g) {
  return g == Geometry::a1d || g == Geometry::a2d || g == Geometry::acube;
}
bool has_samples(Geometry g) { return g == Geometry::d2ms || g == Geometry::a2dms; }
bool is_cube(Geometry g) { return g == Geometry::cube || g == Geometry::acube; }

std::uint32_t dimensions_of(Geometry g) {
  switch (g) {
    case Geometry::d1:
    case Geometry::a1d: return 1;
    case Geometry::d3:
    case Geometry::cube:
    case Geometry::acube: return 3;
    default: return 2;
  }
}

/// Elements of the coordinate vector, layer included; three are written as four.
std::uint32_t written_of(Geometry g) {
  const std::uint32_t needed = dimensions_of(g) + (has_layer(g) ? 1 : 0) +
                               (has_samples(g) ? 1 : 0) + (g == Geometry::a2dms ? 1 : 0);
  return needed == 3 ? 4 : needed;
}

Word take_one(Key& key, std::initializer_list<Word> words) {
  for (const Word w : words) {
    if (key.take(w)) return w;
  }
  return Word::unknown;
}

}  // namespace

/// The elements of a vector; a single operand counts as a vector of one.
std::vector<ptx::Operand> FunctionDecoder::parts(const Operand& o) const {
  if (o.kind == Operand::Kind::vector) {
    const auto nested = std::span(module_.operands).subspan(o.first, o.count);
    return {nested.begin(), nested.end()};
  }
  return {o};
}

/// The handle of [object, ...].
void FunctionDecoder::object_operand(const Operand& a, TextureDetail& t) {
  const Instruction& i = function_.instructions[current_];
  if (a.kind != Operand::Kind::address) unsupported(i);
  if (a.base == Operand::Kind::symbol) {
    Operand symbol = a;
    symbol.kind = Operand::Kind::symbol;
    const ptx::Variable* v = variable_of(symbol);
    if (v && (v->type == Type::texref || v->type == Type::samplerref || v->type == Type::surfref)) {
      throw Error{
          ErrorCode::ptx_texture_reference,
          {{"instruction", std::string(module_.text_of(i))}, {"name", std::string(v->name)}},
          place_of(module_, i)};
    }
  }
  if (a.base != Operand::Kind::reg || a.bits != 0) unsupported(i);
  Operand handle = a;
  handle.kind = Operand::Kind::reg;
  handle.count = 0;
  if (register_bytes(handle) != 8) unsupported(i);
  t.handle = row_of_register(a.index, a.component);
  code_.dependences[code_index_].address = undefined_mask(t.handle);
}

/// Takes [object, coordinates]. False where the coordinates do not fit the geometry.
bool FunctionDecoder::coordinates(const Operand& a, TextureDetail& t) {
  object_operand(a, t);
  if (a.count != 1) return false;
  const std::vector<Operand> c = parts(module_.operands[a.first]);
  // More elements than the geometry needs may be written; they are ignored (tex, "Notes").
  if (c.size() < written_of(t.geometry) || c.size() == 3 || c.size() > 4) return false;
  std::size_t next = has_samples(t.geometry) ? 1 : 0;
  if (has_layer(t.geometry) || t.geometry == Geometry::a2dms)
    t.layer = source_row(c[next++], Row::b32);
  for (std::uint32_t k = 0; k < dimensions_of(t.geometry); ++k)
    t.at[k] = source_row(c[next++], t.integer_coordinates ? Row::b32 : Row::f32);
  return true;
}

bool FunctionDecoder::results(const Operand& o, TextureDetail& t) {
  const std::vector<Operand> d = parts(o);
  if (d.size() != t.elements) return false;
  const Row kind = row_of_bits(t.register_bytes);
  for (std::size_t k = 0; k < d.size(); ++k) t.d[k] = destination_row(d[k], kind);
  return true;
}

void FunctionDecoder::emit_texture(Handler handler, const TextureDetail& t, Dependence::Kind kind) {
  DecodedInstruction o;
  o.full = o.masked = handler;
  o.c = static_cast<std::uint32_t>(code_.textures.size());
  o.query.surface = function_.instructions[current_].opcode == Word::suq;
  code_.textures.push_back(t);
  o.memo = code_.instructions[code_index_].memo = code_.memos++;
  code_.dependences[code_index_].kind = kind;
  emit(o);
}

bool FunctionDecoder::texture(const Instruction& i) {
  switch (i.opcode) {
    case Word::tex:
    case Word::tld4: return fetch(i);
    case Word::txq:
    case Word::suq: return query(i);
    case Word::istypep: return is_object(i);
    case Word::suld:
    case Word::sust:
    case Word::sured: return surface(i);
    default: return false;
  }
}

bool FunctionDecoder::fetch(const Instruction& i) {
  using Level = TextureDetail::Level;
  const auto ops = operands(i);
  Key key(i.opcode, module_.modifiers_of(i));
  TextureDetail t;
  const bool gathers = i.opcode == Word::tld4;
  if (gathers) {
    t.word = take_one(key, {Word::r, Word::g, Word::b, Word::a});
    if (t.word == Word::unknown) return false;
  } else if (key.take(Word::level)) {
    t.level = Level::given;
  } else if (key.take(Word::grad)) {
    t.level = Level::gradient;
  } else {
    key.take(Word::base);
  }
  if (!take_geometry(key, t.geometry)) return false;
  const bool two = key.take(Word::v2);
  if (!two && !key.take(Word::v4)) return false;
  t.type = key.take_type();
  const Type coordinate = key.take_type();
  if (!key.all_taken() || two != (t.type == Type::f16x2)) return false;
  const bool whole = t.type == Type::u32 || t.type == Type::s32 || t.type == Type::f32;
  if (!whole && (gathers || (t.type != Type::f16 && t.type != Type::f16x2))) return false;
  if (coordinate != Type::f32 && coordinate != Type::s32) return false;
  t.integer_coordinates = coordinate == Type::s32;
  const Geometry g = t.geometry;
  if (t.integer_coordinates && (gathers || is_cube(g))) return false;
  if (has_samples(g) && (!t.integer_coordinates || t.level != Level::base || gathers)) return false;
  if (gathers && g != Geometry::d2 && g != Geometry::a2d && !is_cube(g)) return false;
  t.elements = two ? 2 : 4;
  t.register_bytes = t.type == Type::f16 ? 2 : 4;

  if (ops.size() < 2) return false;
  const bool resident = ops[1].paired;
  std::size_t next = resident ? 2 : 1;
  if (ops.size() <= next || !coordinates(ops[next], t)) return false;
  ++next;
  if (t.level == Level::given) {
    if (ops.size() <= next) return false;
    t.lod = source_row(ops[next++], t.integer_coordinates ? Row::b32 : Row::f32);
  } else if (t.level == Level::gradient) {
    if (t.integer_coordinates) return false;
    for (std::uint32_t(*rows)[3] : {&t.dx, &t.dy}) {
      if (ops.size() <= next) return false;
      const std::vector<Operand> change = parts(ops[next++]);
      if (change.size() < dimensions_of(g)) return false;
      for (std::uint32_t k = 0; k < dimensions_of(g); ++k)
        (*rows)[k] = source_row(change[k], Row::f32);
    }
  }
  // The remaining operands: the offset, the value to compare with, or both in this order.
  const auto is_offset = [&](const Operand& o) {
    if (o.kind == Operand::Kind::vector) return true;
    if (o.kind == Operand::Kind::immediate) return dimensions_of(g) == 1 && !o.is_float;
    if (o.kind != Operand::Kind::reg) return false;
    const ptx::Register& r = function_.registers[o.index];
    return r.lanes > 1 || (dimensions_of(g) == 1 && r.type != Type::f32);
  };
  if (ops.size() > next && is_offset(ops[next])) {
    const std::vector<Operand> offset = parts(ops[next++]);
    if (is_cube(g) || offset.size() < dimensions_of(g)) return false;
    for (std::uint32_t k = 0; k < dimensions_of(g); ++k)
      t.offset[k] = source_row(offset[k], Row::b32);
  }
  if (ops.size() > next) {
    if (g == Geometry::d3 || t.integer_coordinates) return false;
    t.reference = source_row(ops[next++], Row::f32);
  }
  if (next != ops.size()) return false;
  if (!results(ops[0], t)) return false;
  if (resident) {
    needs({701, 0});
    t.resident = destination_row(ops[1], Row::pred);
  }
  emit_texture(gathers ? handlers_.common.texture.tld4 : handlers_.common.texture.tex, t,
               Dependence::Kind::fetch);
  return true;
}

bool FunctionDecoder::query(const Instruction& i) {
  const auto ops = operands(i);
  Key key(i.opcode, module_.modifiers_of(i));
  TextureDetail t;
  const bool surface = i.opcode == Word::suq;
  const bool level = !surface && key.take(Word::level);
  t.word = take_one(key, {Word::width, Word::height, Word::depth});
  if (t.word == Word::unknown && !level)
    t.word = take_one(key, {Word::channel_data_type, Word::channel_order, Word::array_size});
  if (t.word == Word::unknown && surface) t.word = take_one(key, {Word::memory_layout});
  if (t.word == Word::unknown && !surface && !level) {
    t.word = take_one(key, {Word::normalized_coords, Word::force_unnormalized_coords,
                            Word::filter_mode, Word::addr_mode_0, Word::addr_mode_1,
                            Word::addr_mode_2, Word::num_mipmap_levels, Word::num_samples});
  }
  if (t.word == Word::unknown || !key.take(Word::b32) || !key.all_taken()) return false;
  if (ops.size() != (level ? 3u : 2u)) return false;
  object_operand(ops[1], t);
  if (ops[1].count != 0) return false;
  if (level) t.lod = source_row(ops[2], Row::b32);
  t.elements = 1;
  if (!results(ops[0], t)) return false;
  emit_texture(handlers_.common.texture.txq, t, Dependence::Kind::plain);
  return true;
}

bool FunctionDecoder::is_object(const Instruction& i) {
  const auto ops = operands(i);
  Key key(i.opcode, module_.modifiers_of(i));
  TextureDetail t;
  t.word = take_one(key, {Word::texref, Word::samplerref, Word::surfref});
  if (t.word == Word::unknown || !key.all_taken() || ops.size() != 2) return false;
  t.handle = source_row(ops[1], Row::b64);
  t.resident = destination_row(ops[0], Row::pred);
  if (t.resident == kNone) return true;
  emit_texture(handlers_.common.texture.istypep, t, Dependence::Kind::plain);
  return true;
}

bool FunctionDecoder::surface(const Instruction& i) {
  const auto ops = operands(i);
  Key key(i.opcode, module_.modifiers_of(i));
  TextureDetail t;
  t.integer_coordinates = true;
  const bool load = i.opcode == Word::suld, reduces = i.opcode == Word::sured;
  if (!load && key.take(Word::p))
    t.formatted = true;
  else if (!key.take(Word::b))
    return false;
  if (reduces) t.word = take_one(key, {Word::add, Word::min, Word::max, Word::and_, Word::or_});
  if (reduces && t.word == Word::unknown) return false;
  if (!take_geometry(key, t.geometry)) return false;
  const Geometry g = t.geometry;
  if (is_cube(g) || has_samples(g) || (reduces && has_layer(g))) return false;
  if (load) take_one(key, {Word::ca, Word::cg, Word::cs, Word::cv});
  if (i.opcode == Word::sust) take_one(key, {Word::wb, Word::cg, Word::cs, Word::wt});
  t.elements = reduces ? 1 : key.take(Word::v2) ? 2 : key.take(Word::v4) ? 4 : 1;
  t.type = key.take_type();
  t.clamp = take_one(key, {Word::trap, Word::clamp, Word::zero});
  if (t.clamp == Word::unknown || !key.all_taken() || ops.size() != 2) return false;
  t.bytes = static_cast<std::uint8_t>(ptx::bytes_of(t.type));
  const Type y = t.type;
  const bool bits = y == Type::b8 || y == Type::b16 || y == Type::b32 || y == Type::b64;
  if (!reduces) {
    if (!bits || (t.formatted && y != Type::b32) || t.bytes * t.elements > 16) return false;
  } else if (t.formatted) {
    if (y != Type::b32 && (y != Type::b64 || (t.word != Word::min && t.word != Word::max)))
      return false;
  } else if (t.word == Word::and_ || t.word == Word::or_) {
    if (y != Type::b32) return false;
  } else {
    const bool either = y == Type::u32 || y == Type::s32 || y == Type::u64;
    if (!either && (y != Type::s64 || t.word == Word::add)) return false;
  }

  const Operand& place = load ? ops[1] : ops[0];
  if (!coordinates(place, t)) return false;
  const std::vector<Operand> values = parts(load ? ops[0] : ops[1]);
  if (values.size() != t.elements) return false;
  // As with ld and st, a register may be wider than the value in memory.
  t.register_bytes = 0;
  for (const Operand& v : values) {
    if (v.kind != Operand::Kind::reg) continue;
    const auto bytes = static_cast<std::uint8_t>(register_bytes(v));
    if (t.register_bytes != 0 && t.register_bytes != bytes) return false;
    t.register_bytes = bytes;
  }
  if (t.register_bytes == 0) t.register_bytes = std::max<std::uint8_t>(t.bytes, 2);
  if (t.register_bytes < t.bytes || t.register_bytes > 8) return false;
  if (load) {
    if (!results(ops[0], t)) return false;
    emit_texture(handlers_.common.texture.suld, t, Dependence::Kind::fetch);
    return true;
  }
  const Row kind = row_of_bits(t.register_bytes);
  for (std::size_t k = 0; k < values.size(); ++k) t.d[k] = source_row(values[k], kind);
  emit_texture(reduces ? handlers_.common.texture.sured : handlers_.common.texture.sust, t,
               Dependence::Kind::put);
  return true;
}

}  // namespace warpbook::device::isa
