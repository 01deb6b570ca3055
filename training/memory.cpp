#include "training/memory.hpp"

#include <algorithm>
#include <tuple>

namespace warpbook::training {

class Memory::Block : public Storage {
 public:
  Block(std::shared_ptr<Memory> memory, Key key, device::Pointer address)
      : memory_(std::move(memory)), key_(std::move(key)), address_(address) {}
  ~Block() override { memory_->give_back(*this); }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  [[nodiscard]] device::Pointer address() const override { return address_; }
  [[nodiscard]] const std::string& name() const override { return key_.name; }
  [[nodiscard]] const Key& key() const { return key_; }

 private:
  std::shared_ptr<Memory> memory_;
  Key key_;
  device::Pointer address_;
};

Memory::~Memory() {
  for (const auto& [key, addresses] : free_) {
    for (const device::Pointer address : addresses) (void)device_->release(address);
  }
}

std::shared_ptr<const Storage> Memory::allocate(const std::string& name, device::ElementType type,
                                                std::uint64_t count) {
  Key key{name, std::max<std::uint64_t>(count, 1) * device::size_of(type)};
  std::vector<device::Pointer>& kept = free_[key];
  device::Pointer address = 0;
  if (kept.empty()) {
    before_growing_();
    address = lab::require(device_->allocate(name, type, std::max<std::uint64_t>(count, 1)));
    held_bytes_ += key.bytes;
  } else {
    address = kept.back();
    kept.pop_back();
  }
  live_bytes_ += key.bytes;
  peak_bytes_ = std::max(peak_bytes_, live_bytes_);
  auto block = std::make_shared<const Block>(shared_from_this(), std::move(key), address);
  born_[block.get()] = launch_;
  return block;
}

void Memory::give_back(const Block& block) {
  free_[block.key()].push_back(block.address());
  live_bytes_ -= block.key().bytes;
  const auto born = born_.find(&block);
  if (noting_) ended_.push_back(lifetime_of(block, born->second));
  born_.erase(born);
}

Lifetime Memory::lifetime_of(const Block& block, std::uint64_t born) const {
  return {block.name(), block.key().bytes, std::max(born, first_) - first_, launch_ - first_};
}

void Memory::note_lifetimes() {
  noting_ = true;
  first_ = launch_;
  ended_.clear();
  peak_bytes_ = live_bytes_;
}

MemoryUse Memory::use() const {
  MemoryUse use{peak_bytes_, held_bytes_, ended_};
  for (const auto& [block, born] : born_)
    use.lifetimes.push_back(lifetime_of(*block, born));
  std::ranges::sort(use.lifetimes, {}, [](const Lifetime& life) {
    return std::tuple(life.begin, life.end, life.name);
  });
  return use;
}

}  // namespace warpbook::training
