// The functions that each build of the handlers offers.
#pragma once

#include "device/simulator/isa/key.hpp"

namespace warpbook::device::isa {

namespace sse2 {
Bound bind_integer(Key& key);
Bound bind_bits(Key& key);
Bound bind_float(Key& key);
Bound bind_half(Key& key);
Bound bind_convert(Key& key);
Bound bind_compare(Key& key);
Bound bind_move(Key& key);
Bound bind_pack(std::uint32_t parts, std::uint32_t part_bytes, bool unpack);
Bound bind_memory(const MemoryKey& key);
Bound bind_atomic(const AtomicKey& key);
MatrixHandler bind_matrix(const MatrixKey& key);
}  // namespace sse2

namespace avx2 {
Bound bind_integer(Key& key);
Bound bind_bits(Key& key);
Bound bind_float(Key& key);
Bound bind_half(Key& key);
Bound bind_convert(Key& key);
Bound bind_compare(Key& key);
Bound bind_move(Key& key);
Bound bind_pack(std::uint32_t parts, std::uint32_t part_bytes, bool unpack);
Bound bind_memory(const MemoryKey& key);
Bound bind_atomic(const AtomicKey& key);
MatrixHandler bind_matrix(const MatrixKey& key);
}  // namespace avx2

}  // namespace warpbook::device::isa
