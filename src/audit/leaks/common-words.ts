/** Words and library names that anybody writes: none of them makes a text of the oracle's. Counted over system headers and READMEs. */

/** Parts of names, and words of prose, in lower case. */
const words = `
  aarch abc abi able abort about above abs absent absolute abstract accept accepted accepts access according account
  aci acorn across action actions active actual actually add added adding addition additional addr address addresses
  adds adheres adj adq adt advance advanced aead aes after again against agreement ais aix akid alert alg algnid
  algo algor algora algorithm algs alias aliases align aligned alignment alive all alloc allocate allocated
  allocator allow allowed allowing allows alpha already also alt alternative always amount analyses analysis anchor
  and another any anything apache api apis app appear append apple application applications applies apply appname
  apps arbitrary arch are area arg argc argl argp args argument arguments argv arising arm around array arrays asc
  asciicrlf asm asn assert assertion asserts assets assign assignment associated ast async atomic atrtype attach
  attr attrib attribute attributes attrname attrs aud audit auth author authority authors automatic automatically
  aux available avatars avoid await awv babel back backwards bad badgen badges banner bar barrier base based bash
  basic batch batches baz bcons bcont because been before begin behavior behaviour being below bench benchmark
  benchmarks best better between big bigint bignum bin binary bind bio biome biomejs bit bitname bits blank blob
  block blocks blog body boolean borrowed both bottom bound boundary bounds box branch brand brasil breaking brim
  broken browser browsers buf buff buffer buffers buflen bufsize bug bugs build builder building builds built
  builtin bun bundle bundlephobia business but bwwgdmvyc bwxucz bxml bypw byte bytes cache calc call callback called
  calling calls camellia campaign can cancel cancelled cannot canonical cap capacities capacity capi card cases
  cassert cast category cause caused cbc cdn cdovl cee center cerr cert certain certid certificate certs certstatus
  cfg chain challenge challenges change changed changelog changes channel character characters charge chars charset
  charts chat check checked checking checks child children choice chunk cid cipher ciphers cjs claim clamp clang
  classes classof clean cleanse cleanup clear cli client clock clone close closure cloudflare cmd cmp cms cnf cnt
  code codecov codegen coderabbit codes codeview codspeed coeff col collective color colors cols column columns
  combine combined comma command commands comment comments commit commits common commonjs community comp company
  compare comparison compat compatibility compatible compfunc compilation compile compiled compiler complete
  completely complex compress compressed compression compute concat concept concepts cond condition conditional
  conditions conduct conf config configuration configure configured conn connect connected connection consider
  considered console constant constants constexpr constraint constraints construct constructed constructor consume
  cont contain contained container containing contains content contents context contract contributing contributors
  control conversion convert converted convertible convex cookie copies copy copyfunc copyright core correct
  correctly corresponding cost could count counter counts coverage coveralls cplusplus cpp cpu cpy crash create
  created creates createserver creating credits crit critical crl crlfeol crls crm crmf cross crypt crypto cryptoerr
  css cstddef cstdint cstring ctime ctlog ctrl ctx ctype cur current currently cursor curve custom cwd cwise cxx
  damages dane dark darwin dat data datalen date david day days dead deal dealings deallocate debug debugging
  debuginfo dec decay decipher decl declare decltype declval decode decoded decoder decoding decrypt deep def
  defaults define defined defines definition definitions del delay delta denied deno dense dep dependencies
  dependency depending depot deprecated deprecatedin deps depth der derived des desc described description
  descriptor design designed dest destroy destructor detached detail detailed details detect detection determine dev
  developer development device dfn dgst diag diagnostic die diff difference different digest digital digits dir
  direct direction directly directories directory disable disabled discard discord discussions dispatch display dist
  distance distribute div dlen doall doallfunc doc docs document documentation documented does doesn domain
  dominator don done dont dot down download downloads doxygen draft drain drained drains drop dsa dso dss dst due
  dummy dump dup dupf duplicate during dwarf dword dyn dynamic each early easier easily easy ecd ecdh ecdsa echo
  ecmascript ecosystem ecx edge edi edit editor editors egstock eigen either elem element elements elf elif email
  embed emit emplace empty enable enabled enc encipher encipherment encode encoded encoder encoding encrypt
  encrypted encryption end endian endif endpoint engine engines english enough ensure enter entries entry enumerated
  env enveloped environment environments eof epilogue equal equivalent erase err errno error errors esc escape
  escapes escaping eslint esm espa ess etc eval evaluator even event events every everything evp exact exactly
  example examples exceeded except exception exchange exclude excluded exec execute execution exist existing exists
  exit exp expand expansion expect expected experimental expired explicitly export exported exports expose exposed
  exposes expr express expression expressions ext extend extended extension extensions external extra extract extras
  exts factor fail failed fails failure fallback family fast faster fastest fatal fbiome fcntl fds feature features
  feel fetch few field fields file filename files filetype fill filled fills filter final finalize finally find
  fingerprint finish finished fips first fit fitness fix fixed fixes fixture flag flags flat floating flush fmt
  fname folder follow following follows foo fopen force fork form format formats formatting forms forward found four
  frag fragment frame fran free freef freefunc friendly from front full fully fun func funcs function functional
  functionality functions funding furnished further future fwd gcc gcm gen general generate generated generating
  generation generator generic get gets getting gid git give given glob global globally gmtime gnu goal good google
  gost got grammar granted graph graphql graphs greater group groups grp guard guide guides gzipped had half hand
  handle handler handling handshake hard has hash hashfunc have hdr head header headers heap height hello help
  helper helpers here hereby hex hexstr hfn hidden hide high higher highly hint hmac holders honest hook horizontal
  host hostflags hostname how however hpp href html http iahr icon identical identifier identity idlen idm ids idx
  idxrmltgipz ietf ifdef ifndef ignore ignored iib illegal image images img imp impl implement implementation
  implemented implements implicit implied import important imports improve ims inc include included includes
  including incomplete incorrect increase increment indent independently index indicate indices indirect inf
  infinite info information infos inherit inhibit init initial initialize initialized initializer inlen inner input
  inputs insert inside inspect inst install installation installed installing instance instead instr instruction
  instructions insufficient integer integral intended interface internal internals interval intervals into intrinsic
  inv invalid invalidate inverse invert invoke invoked ioctl ipasc iptr ipv isa isn iso issue issued issuer issues
  item itemname items iter iterator itname its itself jan japan javascript jetbrains job jobs join jsdelivr jshttp
  json jsr jsx jump just kdf keep keepachangelog keeping kernel kevin key keyid keylen keylength keys keyusage
  keyword keywords kind know known kphn kraken ktls label labelcolor language languages lap laps larg large last
  lastpos later latest layout lazy lead leading leaf learn least leay left legacy len length less let lets level
  lhash lhs liability liable lib libctx libraries library libxml license licensed licenses lifetime light
  lightweight like likely limit limitation limited limits line linear lines link links lint linter linting linux
  list listed listen lists literal little ljegmjiuni ljigndkungwymi ljj ljn ljnmmjcumia ljygnsa ljygodgunwg llvm
  load loaded loader loading loc local locale locally location locations lock locked lockfiles locking log logging
  logic logo logos logs lokalise longer look looks lookup loop los low lower lsp ltm lvalue lvbj mac machine maclen
  macro macros made magic main maintainers maintenance major make makes making malformed malloc manager manual
  manually many map mapped mapping mappings maps mark markdown marketplace mask master mat match matched matches
  matching math matrix max maximum maxlen maxsize may maybe mdebug mdnid means media medium mem member members
  memcmp memcpy memory memset merge message messages meta metadata meth method methods mgvlnsivpgo mgvmii microsoft
  middle middleware might migrate milliseconds mime min minimal minimum minor minsize mismatch missing mit mixin mjs
  mod mode model models modern modified modify module modules modulus more most move mozilla msawtdu msb msg mstring
  mtu much mul mult multi multiline multiple must mutable mutex name named namelen names native nbio nconf ndebug
  ndef need needed needs neg negative nested net netscape never newf next nid noattr nocerts nochain nocrl node
  nodei nodejs nodelay nodes noexcept nointern non nonblock nonce none nor noreturn norm normal normalize nosigs
  nosmimecap not notable note nothing nothrow notice notification notify noverify now npmignore npmx npx null
  nullptr num number numbers numeric numext oaep obj object objects obtaining ocsp oct octet off offset oid oids old
  older omitted once one ones online only opaque opcode open openssl opensslconf opensslv operand operands operation
  operations ops opt optimized option optional optionally options opts oracle ord order ordering org organization
  orig original oss ossl ostream other others otherwise our out outer outlen output outputs outside over overflow
  overhead overlap overridden override overwrite own owner pack package packages packed packet pad padding padlock
  page pair pairs palg parallel param parameter parameters params parent parg parse parsed parser parses parsing
  part partial particular parts party pass passed passing passlen passwd password patch path pathlen paths pattern
  patterns pbe pcert pclass pctx pday pdb pder pdig peek peer peername pem penc pending people per perf perform
  performance period perm permission permit permitted person persons phase phi philosophy picture pid pipe pkcs pkey
  pkg pki pkt place plain platform platforms playground please plen plugin plugins plus png pnpm pnum point pointer
  points policies policy policyinfo poll polski poly polyfill pool pop popo popped popular port portions portugu pos
  position possible post pow power ppc pragma pre precision pred predicate prefer prefers prefix prepare prerelease
  present preserve preserved prettier prev prevent previous previously prf prime primitive print printer printf prio
  prior priority priv probably proc process processing produce produced product products profile program proj
  project projects prologue promise prop proper properly properties property propq protection proto protocol protos
  prototype prov provide provided provider provides providing proxy psec psi psig psk pss ptag pthread ptr ptrdiff
  ptype pub pubkey publish published pull pure purpose push pushed put pval pwd qualifiers quality query queue
  queues quick quiet quote quoted quotes raise rand random range ranges rather raverified raw rbio rctx rdi rdonly
  react read readable readbytes reader reading readme real realloc reason rebind rec receive received receives recip
  recipient recommend recommended record recv red reduce ref refactor refer reference references reflect reg
  regardless regex regexp region register registered registration registry regression regs regular reinterpret
  reject rejected rel related relative release released releases rely remove removed removing rename renegotiate
  replace replacement reply repo report repository representation represented representing represents repudiation
  req request requested requests require required requires res reserve reserved reset resize resolution resolve
  resolved resolves resource resources resp response responses rest restore restriction result resulting results ret
  retrieve retry returned returning returns reusable reuse rev reverse revocation revoked rfc rhs rid right rights
  ring rings ripemd risk rng rolldown root round rounds row rows rptr rsa rsp rstudio rules run runkit running runs
  runtime runtimes rust safe safestack salt saltlen same sample sampled san saturate saturated save scalar scale
  scan schema scheme scope screen script scripts scss sct sctp scts search sec second seconds secret section secure
  security see seed seeds seek segment sel select selected selector self sell semantic semver send sendfile
  sensitive sent sentinel sep separate separated separator seq sequence serial serve server service ses sess session
  set sets setting settings setup several sha shall shared shell shields shieldsio shift shlibcrypto should show
  shown shows shutdown sid side sig sigalg sign signal signature signatures signcert signer signers signing silent
  similar simple simply sin since single sink site sixty size sized sizes skey skid skip skipped skm slice slogan
  slot slots small smaller smime smimecap sname snd snprintf sock sockaddr socket software solaris some something
  sometimes sort sorted source sources space sparse spdlog spec special specific specification specified specifies
  specify speed spi spkac split sponsors sponsorship sqrt square src srcset srp ssize ssl ssleay stable stack stamp
  standalone standard stars start started starting stat state statement statements stats status statuscode std
  stdarg stddef stdint stdio stdlib stdout step steps still stl stname stop storage store str strcmp strdup stream
  strength strflgs strict stride string stringify strings strip strong structure studio style sub subject sublicense
  subscription substantial subtree success such suffix suite suiteb sum summary sup super superseded supply support
  supported supports sure survive svg swap sym symbol symbols symhacks sync syntax syntaxfm sys syscall system table
  tag tail take takes tape target tbl tbody tbs tcp tech temp templates tensor terminal test tested testing tests
  text tfpocch than thanks that the their them then there these they thing things third thirty those though thread
  threads three threshold through throwing thrown throws time timeout timer times timestamp tiny title tlc tls tmp
  together token tokens too tool toolchain tools top tort tostring total trace trailing traits trans transfer
  transform transforms transparent transpose treat treated tree triangular trim triple trunc trust trusted tsconfig
  tti ttqunia tuple turn turns twine twitter two txt type typed typeerror types typescript typically typo uchar
  uconfig uid uint uintptr ulong unable unaligned unary undef undefined under underflow underlying unexpected
  unicode uniform unique unit units universal unix unknown unless unload unlock unnecessary unordered unpack
  unreachable unsafe unshift unspec unspecified unsupported until untrusted unused update updated updates upgrade
  uplink upper uri url urls usage use used useful user username users uses usr usually utc utf util utilities
  utility utils utm utypes val valid validate validation validity valign value values var variable variables variant
  various vcmcvmjawmc vec vector vendor ver verification verified verifier verify version versionbadg versioning
  versions very vfy via view views visibility visible visit visual visualstudio vitest vpm vscode vsnprintf vsx
  vulnerability wait waiting walk want warn warning warnings warranties warranty was wasm way ways wchar weak web
  webassembly webpack website welcome well were what whatever when where whether which white whitespace who whom
  whose why width wiki wikipedia will win window windows with within without won word words work workflow workflows
  working works world would wpacket wrap wrapped wrapper wraps write writer writing written wrong xem xml xor xpr
  yadq yaml yarn yeiigzmlsbd yes yet yideymi yml you your ytduyljygnug zero zeros zmca zone zos zyb`;

/** Names of more than one part from the C++ standard library. */
const compounds = `
  a_const_iterator abi_type access_traits actual_erase_node add_const_t add_pointer_t adjacent_difference
  adjacent_find align_val_t aligned_buffer aligned_storage all_of alloc_traits allocator_arg allocator_arg_t
  allocator_traits allocator_type any_of apply_update argument_type assert_entry_array_valid assert_iterators
  assert_max assert_node_consistent assert_valid assoc_laguerre assoc_legendre atomic_base auto_ptr backward_warning
  bad_cast base_type basic_filebuf basic_ios basic_iostream basic_istream basic_istringstream basic_iterator
  basic_ostream basic_ostringstream basic_streambuf basic_string basic_string_view basic_stringbuf before_begin
  bidirectional_iterator bidirectional_iterator_tag bidirectional_range bin_search_tree_ binary_function
  bool_constant borrowed_iterator_t branch_policy bubble_to_top bucket_count bucket_size c_str cc_hash_table_map_
  char16_t char32_t char8_t char_class_type char_traits char_type check_key_exists check_size clear_imp cmp_fn
  codecvt_base common_comparison_category_t common_type common_type_t comp_ellint_1 comp_ellint_2 comp_ellint_3
  comp_hash compare_exchange_strong compare_exchange_weak compare_three_way compare_three_way_result_t concept_check
  cond_dealtor cond_dealtor_t condition_variable conditional_t conjunction_v const_cast const_entry_pointer
  const_iterator const_iterator_ const_local_iterator const_pointer const_pointer_ const_reference const_reference_
  const_reverse_iterator construct_at constructible_from constructors_destructor_fn_imps container_base_dispatch
  container_category container_type contiguous_iterator convertible_to copy_backward copy_constructible
  copy_from_range copy_if copy_n count_if cpp_type_traits ctype_base cxxabi_forced cyl_bessel_i cyl_bessel_j
  cyl_bessel_k cyl_neumann deallocate_all debug_base debug_fn_imps debug_map_base decay_t default_initializable
  default_sentinel_t derived_from destroy_n difference_type distribution_type do_resize do_resize_if_needed_no_throw
  duration_cast dynamic_cast e_pos element_type elems_in_bucket ellint_1 ellint_2 ellint_3 emplace_after
  emplace_back emplace_front emplace_hint empty_entry_status enable_borrowed_range enable_if enable_if_t end_nd_it
  entry_allocator entry_array entry_cmp entry_pointer entry_pointer_array eq_fn eq_int_type equal_keys equal_range
  equal_to erase_after erase_existing erase_fn_imps erase_if erase_imp erased_entry_status error_category error_code
  error_condition exception_defines exception_ptr execution_defs executor_type exponential_distribution extract_key
  false_type fetch_sub file_status file_time_type file_type fill_n find_end find_first_not_of find_first_of
  find_fn_imps find_if find_if_not find_imp find_key_pointer find_last_not_of find_last_of find_max
  first_argument_type first_it first_type for_each for_each_n forward_as_tuple forward_iterator forward_iterator_tag
  forward_list functional_hash fundamentals_v1 fundamentals_v2 gamma_distribution generate_n get_access_traits
  get_allocator get_cmp_fn get_deleter get_e_ind get_executor get_id get_l_child get_metadata
  get_nearest_larger_size get_nearest_smaller_size get_new_node_for_insert get_new_size get_r_child
  gp_hash_table_map_ greater_equal has_facet hash_eq_fn_base hash_funct hash_function i_node in_place_t inc_it_state
  include_next index_sequence index_sequence_for indirectly_comparable info_fn_imps initializer_list
  inode_const_pointer inode_pointer inplace_merge input_iterator input_iterator_tag input_or_output_iterator
  input_range insert_equal insert_equal_noresize insert_fn_imps insert_imp insert_iterator insert_new insert_new_imp
  insert_return_type insert_unique insert_unique_noresize int32_t int64_t int_type integral_constant intmax_t
  invoke_result_t io_context ios_base is_always_equal is_arithmetic is_arithmetic_v is_array is_array_v
  is_assignable is_assignable_v is_base_of is_base_of_v is_class is_class_v is_clock_v is_const is_const_v
  is_constant_evaluated is_constructible is_constructible_v is_convertible is_convertible_v is_copy_assignable
  is_copy_assignable_v is_copy_constructible is_copy_constructible_v is_default_constructible
  is_default_constructible_v is_effectively_black is_empty is_enum is_error_code_enum is_floating_point
  is_floating_point_v is_function is_fundamental is_grow_needed is_heap is_heap_until is_integral is_integral_v
  is_invocable_v is_lvalue_reference is_lvalue_reference_v is_member_function_pointer is_member_pointer
  is_move_assignable is_move_assignable_v is_move_constructible is_move_constructible_v is_nothrow_assignable
  is_nothrow_assignable_v is_nothrow_constructible is_nothrow_constructible_v is_nothrow_copy_constructible
  is_nothrow_copy_constructible_v is_nothrow_default_constructible is_nothrow_default_constructible_v
  is_nothrow_destructible is_nothrow_move_assignable is_nothrow_move_assignable_v is_nothrow_move_constructible
  is_nothrow_move_constructible_v is_object is_object_v is_partitioned is_permutation is_pointer is_pointer_v
  is_reference is_reference_v is_regular_file is_resize_needed is_same is_same_v is_scalar is_scalar_v is_signed
  is_signed_v is_sorted is_sorted_until is_symlink is_transparent is_trivial is_trivially_copy_assignable_v
  is_trivially_copy_constructible_v is_trivially_copyable_v is_trivially_destructible_v
  is_trivially_move_assignable_v is_trivially_move_constructible_v is_unsigned is_unsigned_v is_void is_void_v
  is_volatile_v istreambuf_iterator iter_difference_t iter_reference_t iter_swap iter_value_t iterator_category
  iterator_concept iterator_t iterator_traits iterator_type iterators_fn_imps join_prep key_comp key_compare
  key_const_pointer key_const_reference key_eq key_equal key_pointer key_reference key_type last_it
  leaf_const_pointer leaf_node leaf_pointer left_child_next_sibling_heap left_child_next_sibling_heap_
  leftmost_descendant less_equal lexicographical_compare lexicographical_compare_three_way lfts_config load_factor
  local_iterator locale_classes locale_type lock_guard logic_error lookup_classname lower_bound m_a_entries
  m_actual_size m_entries m_hash m_metadata m_no_throw_copies_indicator m_num_e m_num_used_e m_p_e m_p_head m_p_l
  m_p_l_child m_p_left m_p_max m_p_min m_p_nd m_p_next m_p_next_sibling m_p_parent m_p_prev_or_parent m_p_right
  m_p_root m_p_value m_rc m_red m_size m_special m_stat m_store_extra_indicator m_type m_value make_binomial_heap
  make_child_of make_error_code make_error_condition make_heap make_index_sequence make_move_iterator make_pair
  make_shared make_signed_t make_tuple make_unsigned make_unsigned_t mapped_const_pointer mapped_const_reference
  mapped_pointer mapped_reference mapped_type match_flag_type match_prev_avail match_results max_bucket_count
  max_element max_load_factor max_size maybe_unused mbstate_t memory_order memory_order_acquire memory_order_relaxed
  memory_order_release memory_resource metadata_const_reference metadata_reference metadata_type min_element
  minmax_element move_constructible mutex_type native_handle native_handle_type nd_it new_size no_unique_address
  node_begin node_const_iterator node_const_pointer node_end node_iterator node_pointer node_type node_update
  none_of normal_distribution not_eof not_fn not_found nothrow_t notify_all notify_cleared
  notify_erase_search_collision notify_erase_search_end notify_erase_search_start notify_erased
  notify_externally_resized notify_find_search_collision notify_find_search_end notify_find_search_start
  notify_insert_search_collision notify_insert_search_end notify_insert_search_start notify_inserted notify_one
  notify_resized nth_element null_node_metadata null_node_update null_node_update_pointer null_type nullptr_t
  num_children num_ersd num_get num_put num_threads numeric_limits numeric_traits off_type omp_get_num_threads
  omp_get_thread_num ostreambuf_iterator output_iterator_tag p_cur p_e p_l p_nd p_next p_next_e p_out p_parent p_pot
  p_ret p_value p_y p_z param_type partial_sort partial_sort_copy partial_sum partition_copy pat_trie_tag pb_ds
  piecewise_construct piecewise_construct_t point_const_iterator point_const_iterator_ point_iterator
  point_iterator_ pointer_ pointer_to pointer_traits policy_access_fn_imps polymorphic_allocator pop_back pop_front
  pop_heap pos_hash_pair pos_type pref_begin pref_end propagate_on_container_copy_assignment
  propagate_on_container_move_assignment propagate_on_container_swap ptr_traits ptrdiff_t push_back push_front
  push_heap r_cmp_fn r_key r_new_val r_pos r_val r_value random_access_iterator random_access_iterator_tag
  random_shuffle range_access range_value_t ranged_hash_fn_base ranged_probe_fn_base ranges_base rb_tree_tag
  rebind_alloc rebind_traits recursive_copy_node reference_ reference_wrapper regex_constants regex_traits
  reinterpret_cast remove_const remove_const_t remove_copy remove_copy_if remove_cv remove_cv_t remove_cvref_t
  remove_extent_t remove_if remove_node remove_pointer remove_pointer_t remove_reference remove_reference_t
  replace_copy replace_copy_if replace_if resize_base resize_policy result_of result_type ret_it reverse_copy
  reverse_iterator riemann_zeta rightmost_descendant rotate_copy rotate_left rotate_right runtime_error
  s_entry_allocator s_inode_allocator s_no_throw_copies_ind s_node_allocator s_null_type s_value_allocator
  safe_container safe_iterator safe_sequence same_as search_n second_argument_type second_type
  select_on_container_copy_construction sentinel_for sequential_tag set_difference set_intersection set_no_action
  set_rdbuf set_symmetric_difference set_union shared_ptr shrink_to_fit simd_abi simd_mask simd_size_v size_t
  size_type sized_range sized_sentinel_for special_function_util sph_bessel sph_legendre sph_neumann splice_after
  split_join_fn_imps split_prep stable_partition stable_sort state_size state_type static_assert static_cast
  std_mutex steady_clock stl_algo stl_algobase stl_construct stl_function stl_iterator stl_iterator_base_funcs
  stl_iterator_base_types stl_pair stl_uninitialized string_type string_view strong_ordering
  structure_only_assert_valid sub_match swap_ranges symlink_status syntax_option_type synth_access_traits
  system_clock system_error system_header tag_and_trait this_thread three_way_comparable three_way_comparable_with
  time_point time_point_cast time_since_epoch time_t to_address to_char_type to_int_type to_linked_list to_string
  to_ullong to_ulong trace_fn_imps trace_node traits_base traits_type tree_policy tree_traits
  trivial_iterator_difference_type trivial_iterator_tag true_type try_emplace tuple_element tuple_size tuple_size_v
  type_info type_to_type type_traits type_utils types_traits uint16_t uint32_t uint64_t uint_least16_t
  uint_least32_t uintmax_t uintptr_t unary_function uniform_int_distribution uninitialized_copy uninitialized_copy_n
  uninitialized_default_construct_n unique_copy unique_lock unique_ptr unordered_map unordered_multimap
  unordered_multiset unordered_set update_min_max_for_erased_node update_to_top upper_bound use_facet uses_allocator
  valid_entry_status value_comp value_compare value_swap value_type value_type_ void_t wait_until wchar_t weak_ptr`;

/** Both, for look-up. */
export const commonWords: ReadonlySet<string> = new Set(`${words} ${compounds}`.trim().split(/\s+/));
