// Written by scripts/write-poseidon.mjs, where the names are explained.
use array::ArrayTrait;
use sotto::bn254_arithmetic::Element;

#[inline(always)]
fn input() -> Element {
    Element { limb0: 0x97fbcf752ac28b8a, limb1: 0x109ae72799e81957, limb2: 0xdeca8673f7c2347b, limb3: 0xfb118360307bb34 }
}

#[inline(always)]
fn first() -> Element {
    Element { limb0: 0xac4bec6ff4f3e023, limb1: 0xdf1b544e7a99dc17, limb2: 0x362000fc66d28b06, limb3: 0x1bc0619c422ae369 }
}

#[inline(always)]
fn mds_0_0() -> Element {
    Element { limb0: 0xd450af9871918837, limb1: 0x8407e2a665cd414b, limb2: 0xa325f494f43d45ce, limb3: 0x2f7114fe0ce20484 }
}

#[inline(always)]
fn mds_0_1() -> Element {
    Element { limb0: 0x1fccac73c714c635, limb1: 0xb3bc54c738ae4847, limb2: 0x3a68fa19660eae6b, limb3: 0xf22a09b6ce38cea }
}

#[inline(always)]
fn mds_0_2() -> Element {
    Element { limb0: 0xaeb26d2da7d30c7e, limb1: 0x86634aaaee500ed9, limb2: 0x25a8667f7048ee02, limb3: 0x2563959e7091991d }
}

#[inline(always)]
fn mds_1_0() -> Element {
    Element { limb0: 0x28e399058269fd4b, limb1: 0x2d778ccec00c58a2, limb2: 0x65c003b1fa232615, limb3: 0xcf00cb40e20d6da }
}

#[inline(always)]
fn mds_1_1() -> Element {
    Element { limb0: 0x8d2111f140b754da, limb1: 0x117cda936984dddc, limb2: 0x882100749fb5fa4d, limb3: 0x293713476057eb1e }
}

#[inline(always)]
fn mds_1_2() -> Element {
    Element { limb0: 0x604474342852e49b, limb1: 0x16cd387ecb86f9d6, limb2: 0xd029b0b8ea0438ab, limb3: 0x17bed08772bfe05a }
}

#[inline(always)]
fn mds_2_0() -> Element {
    Element { limb0: 0x5cf27aa006a9997d, limb1: 0x9ea71d32fa37b4a9, limb2: 0x64140ddfc9e059f9, limb3: 0x1eaad9619fc3de0c }
}

#[inline(always)]
fn mds_2_1() -> Element {
    Element { limb0: 0x1508de1cba31c28c, limb1: 0x2c57c89203a946f, limb2: 0x47ec5a353b20db80, limb3: 0x136fe522e60c2d24 }
}

#[inline(always)]
fn mds_2_2() -> Element {
    Element { limb0: 0x3c0293329e16eb44, limb1: 0x91b82d13c094d184, limb2: 0xf9b0c004c535927f, limb3: 0x16e4970eaed29e8d }
}

#[inline(always)]
fn output_0() -> Element {
    Element { limb0: 0xfedb68592ba8118b, limb1: 0x94be7c11ad24378b, limb2: 0xb2b70caf5c36a7b1, limb3: 0x109b7f411ba0e4c9 }
}

#[inline(always)]
fn output_1() -> Element {
    Element { limb0: 0xd6c64543dc4903e0, limb1: 0x9314dc9fdbdeea55, limb2: 0x6ae119424fddbcbc, limb3: 0x16ed41e13bb9c0c6 }
}

#[inline(always)]
fn output_2() -> Element {
    Element { limb0: 0x791a93b74e36736d, limb1: 0xf706ab640ceb247b, limb2: 0xf617e7dcbfe82e0d, limb3: 0x2b90bba00fca0589 }
}

#[inline(always)]
fn entry_0_0() -> Element {
    Element { limb0: 0xd450af9871918837, limb1: 0x8407e2a665cd414b, limb2: 0xa325f494f43d45ce, limb3: 0x2f7114fe0ce20484 }
}

#[inline(always)]
fn entry_0_1() -> Element {
    Element { limb0: 0x1fccac73c714c635, limb1: 0xb3bc54c738ae4847, limb2: 0x3a68fa19660eae6b, limb3: 0xf22a09b6ce38cea }
}

#[inline(always)]
fn entry_0_2() -> Element {
    Element { limb0: 0xaeb26d2da7d30c7e, limb1: 0x86634aaaee500ed9, limb2: 0x25a8667f7048ee02, limb3: 0x2563959e7091991d }
}

#[inline(always)]
fn entry_1_0() -> Element {
    Element { limb0: 0xced083365812f313, limb1: 0x292bf7d4a58d3013, limb2: 0x570d00924428725, limb3: 0x9ee76f714ae2d83 }
}

#[inline(always)]
fn entry_1_1() -> Element {
    Element { limb0: 0xf2f60f442feb4b51, limb1: 0xb3b7376d18a3e481, limb2: 0x90e7ef342013b0ec, limb3: 0x2c07239e6357d844 }
}

#[inline(always)]
fn entry_1_2() -> Element {
    Element { limb0: 0x91c9d4329c84daa8, limb1: 0xd1af5a7c9ebcf1e8, limb2: 0x5a8a833872fd8a3b, limb3: 0x9fc6f17fbc97b64 }
}

#[inline(always)]
fn entry_2_0() -> Element {
    Element { limb0: 0x2b7b042cb98a9934, limb1: 0xf3f4e26496b4d9b5, limb2: 0xecce20a6082ab256, limb3: 0x1ee22f81e1760a09 }
}

#[inline(always)]
fn entry_2_1() -> Element {
    Element { limb0: 0xc6ce21ea4a14b15c, limb1: 0x9707a244dcbd1eff, limb2: 0x8323b4512276b782, limb3: 0x26d46f120e02ae22 }
}

#[inline(always)]
fn entry_2_2() -> Element {
    Element { limb0: 0x78ae4929e18e5675, limb1: 0x4228a679db84d7fe, limb2: 0x3a76c4c22741e496, limb3: 0x23751d73bce88cd9 }
}

#[inline(always)]
fn entry_addition_0() -> Element {
    Element { limb0: 0xa1d61b5e56cdb219, limb1: 0x6c8f9e7a0b6555ef, limb2: 0xce1ae9e7f64fc803, limb3: 0x23fa08bbbd9517ab }
}

#[inline(always)]
fn entry_addition_1() -> Element {
    Element { limb0: 0x3ca4bcb958e38d98, limb1: 0x8932f473058cf7aa, limb2: 0xaa166ea5f3b0f7df, limb3: 0xb1213f719d9dfe9 }
}

#[inline(always)]
fn entry_addition_2() -> Element {
    Element { limb0: 0x7c09f77240ccf96f, limb1: 0xc6c491b2ed4c40c0, limb2: 0xbff5a28c5b84a79f, limb3: 0x2d4de82960f0ac78 }
}

#[inline(always)]
fn start_0() -> Element {
    Element { limb0: 0xd450af9871918837, limb1: 0x8407e2a665cd414b, limb2: 0xa325f494f43d45ce, limb3: 0x2f7114fe0ce20484 }
}

#[inline(always)]
fn start_1() -> Element {
    Element { limb0: 0xd450af9871918837, limb1: 0x8407e2a665cd414b, limb2: 0xa325f494f43d45ce, limb3: 0x2f7114fe0ce20484 }
}

#[inline(always)]
fn start_2() -> Element {
    Element { limb0: 0xced083365812f313, limb1: 0x292bf7d4a58d3013, limb2: 0x570d00924428725, limb3: 0x9ee76f714ae2d83 }
}

#[inline(always)]
fn recurrence_0() -> Element {
    Element { limb0: 0xd450af9871918837, limb1: 0x8407e2a665cd414b, limb2: 0xa325f494f43d45ce, limb3: 0x2f7114fe0ce20484 }
}

#[inline(always)]
fn recurrence_1() -> Element {
    Element { limb0: 0xfea73341e7fa8635, limb1: 0x15a4894d095b61f5, limb2: 0x6187b7b10a861265, limb3: 0x2a0a5115f89eeaa4 }
}

#[inline(always)]
fn recurrence_2() -> Element {
    Element { limb0: 0x2b8ad20b0959cbba, limb1: 0x4a8f1da6353a2151, limb2: 0xfb742be736def2f1, limb3: 0x2cfdc6446dc127a9 }
}

#[inline(always)]
fn recurrence_3() -> Element {
    Element { limb0: 0x8541af8feece401d, limb1: 0x7b011f5eb0603ecf, limb2: 0xc9817ac2e36a346f, limb3: 0xfb75be32df8e982 }
}

#[inline(always)]
fn recurrence_4() -> Element {
    Element { limb0: 0x76c606361ad7faed, limb1: 0x828ac1c84c2baba0, limb2: 0xf6f2a4d1e5d46fb6, limb3: 0xa45730780e92bea }
}

#[inline(always)]
fn exit_0_0() -> Element {
    Element { limb0: 0x79e5bedcb5875f5, limb1: 0xe1758e9e91447432, limb2: 0x1cce91319141444b, limb3: 0x1abdd640afaa1b24 }
}

#[inline(always)]
fn exit_0_1() -> Element {
    Element { limb0: 0xf32c3c646dfe56d1, limb1: 0x250bf4f46e02bbdf, limb2: 0xdf9747cc3d310091, limb3: 0x2de88c90320f50eb }
}

#[inline(always)]
fn exit_0_2() -> Element {
    Element { limb0: 0x8f881f835bb67970, limb1: 0x8f288008286ee7aa, limb2: 0x959259e94ffb4511, limb3: 0x9995339d29d6c03 }
}

#[inline(always)]
fn exit_0_3() -> Element {
    Element { limb0: 0xd993b2904be2467f, limb1: 0x2bbee314fb6f37e7, limb2: 0x679fe101988dc366, limb3: 0x2c423d1c82388ad7 }
}

#[inline(always)]
fn exit_1_0() -> Element {
    Element { limb0: 0xd969e709a8dd9177, limb1: 0x6b03a9c14d6479d7, limb2: 0xd177c5a7a5578b45, limb3: 0x207c787b10e9c2f7 }
}

#[inline(always)]
fn exit_1_1() -> Element {
    Element { limb0: 0x43f2b76012cd1552, limb1: 0xc0ec81c3919b2636, limb2: 0xffa4d8d65d94ddae, limb3: 0x184c56c48fa80e40 }
}

#[inline(always)]
fn exit_1_2() -> Element {
    Element { limb0: 0x55e51ef0c0b633c0, limb1: 0x30b4daf261f02690, limb2: 0xc5e239ce275b26f4, limb3: 0x2e6453e24d69b9d9 }
}

#[inline(always)]
fn exit_1_3() -> Element {
    Element { limb0: 0x7fdcd304cacc3417, limb1: 0x2f68f1fd887f6b24, limb2: 0xc4491904aeee5218, limb3: 0x1723578524fdd185 }
}

#[inline(always)]
fn exit_addition_0() -> Element {
    Element { limb0: 0xc5b2816769e26083, limb1: 0x8643bf8027ffc4fc, limb2: 0x3d6864476e3fc094, limb3: 0x2394328673954df9 }
}

#[inline(always)]
fn exit_addition_1() -> Element {
    Element { limb0: 0x34a47a050d338ebb, limb1: 0xf1c964d85a24962e, limb2: 0x12b0f60b40455d86, limb3: 0x1dc5a53e148a3175 }
}

fn first_additions() -> Array<Element> {
    array![
        Element { limb0: 0xe6b8cd66fa04b5ab, limb1: 0x3b65c7b2dcd60529, limb2: 0xc3b185d0d238d023, limb3: 0x2f77b81d9e950bf3 },
        Element { limb0: 0xb4ff47163faa258e, limb1: 0x9d90dc2f537a1dd7, limb2: 0x30d4e1b49da9757e, limb3: 0x236837da39364ce8 },
        Element { limb0: 0x96c3a00348136024, limb1: 0x349d53cc0c0321d5, limb2: 0xc83f1df1286f1299, limb3: 0x24ebf7eb1641ecd6 },
        Element { limb0: 0x3fbdf2ed728d29bd, limb1: 0x5f881703051779a5, limb2: 0x147f2f36306287db, limb3: 0x25d134166f5b30b8 },
        Element { limb0: 0x9569a4c7d16d4d54, limb1: 0xf66b7db185da103b, limb2: 0xab2a93099479dde1, limb3: 0x1eb95f8543f94112 },
        Element { limb0: 0x5d3cf5f7da84eb80, limb1: 0xd3e778bcab7582, limb2: 0x68efe3c1ac411c8a, limb3: 0x22ff6589de0800cb },
        Element { limb0: 0x8bb9d03c1032f17e, limb1: 0xff522be07fcc3685, limb2: 0x8847669a13145dfd, limb3: 0x2f66bc9816fdfee7 },
        Element { limb0: 0x7731aeeb92fe2338, limb1: 0xc213eb5dbe6a983b, limb2: 0xa4c0cf9aedbed450, limb3: 0xc7fd8c209636bda },
        Element { limb0: 0x3c8f43d740921239, limb1: 0x63c86d0fd9c31444, limb2: 0x33799380b2f28f1c, limb3: 0x12de5138c745621d },
        Element { limb0: 0xdb1328e6c3145f02, limb1: 0x5bbeb0e39d43d2ae, limb2: 0x4281ca941c4b1580, limb3: 0x627e19d77f909df },
        Element { limb0: 0x7014036f409055a8, limb1: 0xe1786bc14fdd222f, limb2: 0xa5f2249ed6d1dd00, limb3: 0x2f3cb824a65bce8a },
    ]
}

fn partial_additions() -> Array<Element> {
    array![
        Element { limb0: 0x4220c343e1a664ef, limb1: 0x5557f0ffc5b85b32, limb2: 0x651577438b437160, limb3: 0x1dd4b82a7738d661 },
        Element { limb0: 0x3766dd59c1335b7a, limb1: 0x28d6ad06a0375ca8, limb2: 0x64cd5b9190f077da, limb3: 0x13459fbee033c498 },
        Element { limb0: 0x82e9463727c22c09, limb1: 0x90b6f1e8c3377e28, limb2: 0x6efc6a3efa5a8bda, limb3: 0x26ef5c167062cf05 },
        Element { limb0: 0x2d94c48c7976064, limb1: 0xa479a957b54be00a, limb2: 0x1c44bc82c70425af, limb3: 0x299292d9fe89751d },
        Element { limb0: 0xb3685c66db93700b, limb1: 0x1a7bb3510a0eb86d, limb2: 0x32ad4505637a0239, limb3: 0x4927549d98acf98 },
        Element { limb0: 0xa66c6b592604a169, limb1: 0x317bf1201a88ee3f, limb2: 0x6330b65973544eec, limb3: 0x1e060ff3f02272ca },
        Element { limb0: 0x144694a6c131c7a8, limb1: 0x919b4ed96d81f780, limb2: 0xa07a17bd4bdfd835, limb3: 0x11258c77ac356c7e },
        Element { limb0: 0x2722b0a6f27dd1be, limb1: 0x1fa367a5772e134, limb2: 0xecf9b0f34bef7774, limb3: 0x16b01165bf644615 },
        Element { limb0: 0x239137d80b68b78a, limb1: 0x3de032007d94938e, limb2: 0xc1e44304dbfb76c1, limb3: 0x1571f0451c648e4f },
        Element { limb0: 0x57865f0c9fb612d, limb1: 0x79d118b73e550aa3, limb2: 0x74bbe0db9f7e0603, limb3: 0x18a4b9a4f858bde1 },
        Element { limb0: 0x3b2fa8fc987d3132, limb1: 0xef5515f7b06409cc, limb2: 0x544ce7eb18fade1b, limb3: 0x91606d3b1928291 },
        Element { limb0: 0x3aceb2aa8b9b59fd, limb1: 0x248d12a817b9700d, limb2: 0x96bb039a5cff75f3, limb3: 0x37f61e6220c60b5 },
        Element { limb0: 0xc41eacfc0aa21a4b, limb1: 0x3c049a0dd40b9f2, limb2: 0x6b9d26eaeb466273, limb3: 0x29e2db1376bcbbeb },
        Element { limb0: 0x9ce27da667aa0c9, limb1: 0xe969f6fe1007727, limb2: 0x3eb918b23ee5f84, limb3: 0x13715137c8027d39 },
        Element { limb0: 0x10f633dca6ab1aea, limb1: 0x1d5eca26b9fafb32, limb2: 0x3dbf1f8a52f81e40, limb3: 0x13260253aa46cef5 },
        Element { limb0: 0xaa48f0312e9347b0, limb1: 0x2c79b45926412e2f, limb2: 0x9d964c307a9e9efa, limb3: 0x1937f0dd41d2ebd4 },
        Element { limb0: 0x4d7fd95953b5dd21, limb1: 0x1590eff81cd75671, limb2: 0x1f22a76fd389640, limb3: 0x2725a50268fdb967 },
        Element { limb0: 0xfb0600060b6375c4, limb1: 0xc3457046fd037ab7, limb2: 0x5812b936503a511a, limb3: 0x2694568598dab59a },
        Element { limb0: 0xc0ffc71f14b7ab6c, limb1: 0xfd08306235995a0, limb2: 0xfc2fbd4275ba904b, limb3: 0x2c9ef234dbb5d3aa },
        Element { limb0: 0x9ade276052d4fb41, limb1: 0x306ea44a9e33aa47, limb2: 0x36413d472ca129a2, limb3: 0x2b1fd1bea52b820 },
        Element { limb0: 0xac4981a211c3a7a4, limb1: 0xdbc1bf322dd6c753, limb2: 0x97ba2732af7eda34, limb3: 0x28471d0d177292fb },
        Element { limb0: 0xaa4c48e4982e6ac7, limb1: 0x6254334a9738338, limb2: 0x4ae444c2432374b, limb3: 0x1728138267968982 },
        Element { limb0: 0x60ed542eec111bf8, limb1: 0xdfb84ee9a1abc3d9, limb2: 0x7d1a3ff0809f88d3, limb3: 0x2c838c8b73a54844 },
        Element { limb0: 0x73c75efedd3f3326, limb1: 0xb6e84c6fe67bf293, limb2: 0xd17271d06af876b7, limb3: 0x20eda3208bc19290 },
        Element { limb0: 0xbb670f3e12b80053, limb1: 0x429b4857845a1304, limb2: 0x2282732086ffc803, limb3: 0x1a14ccd1a9f99d72 },
        Element { limb0: 0xbe2a748a36be3203, limb1: 0x49dc83e27e892255, limb2: 0xed8875ddda225760, limb3: 0x249a99ab868bc796 },
        Element { limb0: 0x5530823e4aa59248, limb1: 0x5974c1657c263343, limb2: 0xa041f51400a67b5c, limb3: 0x2a359582e93d9598 },
        Element { limb0: 0xee30ceb7f1e01e55, limb1: 0x80933cedb2b050cf, limb2: 0xd5251e0348548398, limb3: 0x4e4a994ae97df76 },
        Element { limb0: 0xe34494c2994f332f, limb1: 0x95b3b386d4490e78, limb2: 0x6067c58f5ac24e58, limb3: 0x4fb5cf05c09d029 },
        Element { limb0: 0xc4e7780889b27054, limb1: 0xdd115f341591169c, limb2: 0x9264f3afb19e18a2, limb3: 0x14b851e7f052d119 },
        Element { limb0: 0xc40a4d3d455016f4, limb1: 0xb89c5a598d40ca76, limb2: 0x1b5c76c01136878e, limb3: 0x19ceec003fe3bac3 },
        Element { limb0: 0xf06d3073176e53ba, limb1: 0x486220b14e445edb, limb2: 0x9747065d010d3a0d, limb3: 0x15b280b19b2be5b },
        Element { limb0: 0x39952d7eea8ad0f9, limb1: 0xc4bfc304773d4118, limb2: 0x628917dbd1a449d9, limb3: 0x24e1869ea746660f },
        Element { limb0: 0x4f09c476b68ccd63, limb1: 0xcefad9a2ca101fcc, limb2: 0x46719350d4660a41, limb3: 0xf82049236ea31b4 },
        Element { limb0: 0x6a8f456ee42d9423, limb1: 0x2641bdd162486f04, limb2: 0xb8bd34b716f8ac23, limb3: 0x13600ecbb9b8628f },
        Element { limb0: 0x3a22f80aa97381b0, limb1: 0xbe2b1ceadc6d080f, limb2: 0x48ab3d7e0212abd8, limb3: 0x19caaf1b7f62dab2 },
        Element { limb0: 0x29cafcce8ff85052, limb1: 0xb544324e29fa7235, limb2: 0xd999cf12fb32aec2, limb3: 0xfbc0194c4dd215f },
        Element { limb0: 0xdb98f466c1f7ee1a, limb1: 0x878e91454e16e350, limb2: 0x4e76079964556c6d, limb3: 0x15127d13e1a96d23 },
        Element { limb0: 0xce684401d763b9ea, limb1: 0x87271e70f6e0a810, limb2: 0x4ccde597abbfe9c7, limb3: 0x208d4646f9ebbc42 },
        Element { limb0: 0x7f9348d78466e49c, limb1: 0xfad3072225ddf07f, limb2: 0x73cd67e9f049c0c, limb3: 0xb1a6f9cd80d12fc },
        Element { limb0: 0x7ab7cedc0af4ad21, limb1: 0x900384eced2a65dc, limb2: 0xbbf0fab12108a4d8, limb3: 0x8ac9279190aa126 },
        Element { limb0: 0xdd4fdbef0c8d8561, limb1: 0x83e4675fcb751f8, limb2: 0xeb00b5f458fe0480, limb3: 0x2a66821214614916 },
        Element { limb0: 0x33686067df9e3b2b, limb1: 0xa77528cca2da885e, limb2: 0x33d69f61936f677b, limb3: 0x2aa57b9cfdd27d28 },
        Element { limb0: 0x596794ed8d8f85a2, limb1: 0x4ee6adbe624c53e3, limb2: 0x2137c4cad19494d4, limb3: 0x2dae8057690e2cec },
        Element { limb0: 0x8c3dfcfaa1bdc1e7, limb1: 0x9a534545f1bdac43, limb2: 0x58e91a4f0b62c1d6, limb3: 0x4062d034d5ff067 },
        Element { limb0: 0x30eb54bccf9fa63a, limb1: 0xdd351c0808816383, limb2: 0xb70d4267b5f177e2, limb3: 0x235b02ef16c7821c },
        Element { limb0: 0xf752242782e7289c, limb1: 0x7c9cfce6d9ab0fa2, limb2: 0x174c0d7459b479b6, limb3: 0x1de1ce909f63e8b },
        Element { limb0: 0xea2b80787cbb2f3c, limb1: 0x9d81c252cf9a16ad, limb2: 0x633afdf9c44b5007, limb3: 0x218fda9ce391922e },
        Element { limb0: 0x839ea6b062e7ddc8, limb1: 0x2bf9f2b8439dfa11, limb2: 0xd38269391eef4ddb, limb3: 0x11cb4ebb1c3bfd4a },
        Element { limb0: 0x2e56d669e7dcd296, limb1: 0x2a41b7be5cbd1888, limb2: 0xc78c5fd46d0922e5, limb3: 0x2ce30171b0915baa },
        Element { limb0: 0x2077bf63632ff509, limb1: 0xe71498b4002c35d6, limb2: 0xecfa0ca7321bb307, limb3: 0x1de37dfe2af7f703 },
        Element { limb0: 0x921420b801824969, limb1: 0xe93ac864f39ef11a, limb2: 0xf9903f69ef5dc060, limb3: 0x2496e66d839499f1 },
        Element { limb0: 0xef938a5cf91e6433, limb1: 0x4ea2c3bc5d1a02bc, limb2: 0xd13072c172293047, limb3: 0x2bb098badbf9e4 },
        Element { limb0: 0x3246a7b6be97ffb6, limb1: 0x8ecd8d0b26bd463, limb2: 0x4e4c4d8353ce3e45, limb3: 0x216833a2e4eea764 },
        Element { limb0: 0xc3d4f52cb7399b0b, limb1: 0x488d8e86f1d20628, limb2: 0x3b4dd4c29d448051, limb3: 0x2fb834ace5e36b85 },
    ]
}

fn last_additions() -> Array<Element> {
    array![
        Element { limb0: 0xb00f9c86832fdf04, limb1: 0x6c05757167814d23, limb2: 0x92941a8817b42b2d, limb3: 0x14fac15d3143dce5 },
        Element { limb0: 0x2e098a0507c4a367, limb1: 0x91a4dedcb7b09027, limb2: 0x164ed29914afb1d2, limb3: 0x2ff5cdee9cea8995 },
        Element { limb0: 0x731c5121a7946e2d, limb1: 0x8dc8a8ecde6b7692, limb2: 0xbef63f10d3d022c9, limb3: 0x96d1ca169e64d2e },
        Element { limb0: 0x91b985805eb882d5, limb1: 0x1c32b6edeff814eb, limb2: 0xacfd88c0218d8c6, limb3: 0x1781ab604b32c2d9 },
        Element { limb0: 0x710a44d6e70cfbc, limb1: 0xa2529b06dc3e75d1, limb2: 0x343ba1813db8e22c, limb3: 0x1ada5fd283166f2e },
        Element { limb0: 0xc0716c8a2d9bd44b, limb1: 0x3c8b3256d49651af, limb2: 0xe6d51ac595fe9847, limb3: 0x254d612b9b8b2172 },
        Element { limb0: 0x97e9f97779800cd7, limb1: 0x9abb434f7e354621, limb2: 0x8d54f3e89f95e23e, limb3: 0x24c93877c0ebd528 },
        Element { limb0: 0xc5c81a909a76d1cf, limb1: 0xec1d63e08de49b09, limb2: 0x1cff052e851ef42b, limb3: 0x788133d868d4e41 },
        Element { limb0: 0x23bcef010b07bb16, limb1: 0xc80947a2dfe4bae6, limb2: 0xe73aea5c85d17efd, limb3: 0x1515ca9d2a9f7ccf },
    ]
}
