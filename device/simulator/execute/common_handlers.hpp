// The handlers that every build shares, for the table in common_handlers.cpp. isa/common_handlers.hpp says what each of them
// does with its operands.
#pragma once

#include "device/simulator/isa/common_handlers.hpp"
#include "device/simulator/isa/decoded_instruction.hpp"

namespace warpbook::device::isa {

// plain_handlers.cpp
namespace plain_handlers {
void guarded(const DecodedInstruction& operation, Context& context);
void nothing(const DecodedInstruction& operation, Context& context);
void fence(const DecodedInstruction& operation, Context& context);
void special(const DecodedInstruction& operation, Context& context);
void special_predicate(const DecodedInstruction& operation, Context& context);
void predicate_logic(const DecodedInstruction& operation, Context& context);
void parameter_to_local(const DecodedInstruction& operation, Context& context);
void local_to_parameter(const DecodedInstruction& operation, Context& context);
void local_address(const DecodedInstruction& operation, Context& context);
void in_window(const DecodedInstruction& operation, Context& context);
void active_mask(const DecodedInstruction& operation, Context& context);
void synchronising_read(const DecodedInstruction& operation, Context& context);
bool has_special(ptx::Word word);
}  // namespace plain_handlers

// stack.cpp
namespace stack {
void save(const DecodedInstruction& operation, Context& context);
void restore(const DecodedInstruction& operation, Context& context);
void allocate(const DecodedInstruction& operation, Context& context);
}  // namespace stack

// texture_handlers.cpp: tex to istypep; surface_handlers.cpp: the others
namespace texture_handlers {
void tex(const DecodedInstruction& operation, Context& context);
void tld4(const DecodedInstruction& operation, Context& context);
void txq(const DecodedInstruction& operation, Context& context);
void istypep(const DecodedInstruction& operation, Context& context);
void suld(const DecodedInstruction& operation, Context& context);
void sust(const DecodedInstruction& operation, Context& context);
void sured(const DecodedInstruction& operation, Context& context);
}  // namespace texture_handlers

// video.cpp
namespace video {
void scalar(const DecodedInstruction& operation, Context& context);
void multiply(const DecodedInstruction& operation, Context& context);
void two_halves(const DecodedInstruction& operation, Context& context);
void four_bytes(const DecodedInstruction& operation, Context& context);
}  // namespace video

// packed.cpp
namespace packed {
void fp8_of_singles(const DecodedInstruction& operation, Context& context);
void fp8_of_halves(const DecodedInstruction& operation, Context& context);
void halves_of_fp8(const DecodedInstruction& operation, Context& context);
void integers(const DecodedInstruction& operation, Context& context);
}  // namespace packed

// wide_atomic.cpp. Each element of a vector is an atomic operation of its own; the whole is one access, aligned to its size.
void wide_atomic_global(const DecodedInstruction& operation, Context& context);
void wide_atomic_shared(const DecodedInstruction& operation, Context& context);
void wide_atomic_generic(const DecodedInstruction& operation, Context& context);

// async_copy.cpp, mbarrier.cpp, bulk_copy.cpp and cluster_memory.cpp
namespace async_handlers {
void copy(const DecodedInstruction& operation, Context& context);
void commit_group(const DecodedInstruction& operation, Context& context);
void wait_group(const DecodedInstruction& operation, Context& context);
void copy_arrive(const DecodedInstruction& operation, Context& context);
void mbarrier_init(const DecodedInstruction& operation, Context& context);
void mbarrier_inval(const DecodedInstruction& operation, Context& context);
void mbarrier_signal(const DecodedInstruction& operation, Context& context);
void mbarrier_test_wait(const DecodedInstruction& operation, Context& context);
void mbarrier_pending_count(const DecodedInstruction& operation, Context& context);
void bulk_copy(const DecodedInstruction& operation, Context& context);
void bulk_commit_group(const DecodedInstruction& operation, Context& context);
void bulk_wait_group(const DecodedInstruction& operation, Context& context);
void store_async(const DecodedInstruction& operation, Context& context);
void map_address(const DecodedInstruction& operation, Context& context);
void rank_of_address(const DecodedInstruction& operation, Context& context);
void cluster_window(const DecodedInstruction& operation, Context& context);
}  // namespace async_handlers

}  // namespace warpbook::device::isa
